import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: the entries as JSON. */
export const ADD_HISTORY = sql({
  name: 'add_history',
  text: `
INSERT INTO ${SCHEMA}.feature_history
  (uid, feature_uid, set_uid, org_id, project_uid, action, origin, job_id, model, episodes, before, after, change_uid,
   author, said_by)
SELECT uid, feature_uid, set_uid, org_id, project_uid, action, origin, job_id, model, episodes, before, after,
       change_uid, author, said_by
FROM jsonb_to_recordset($1::jsonb) AS given(
  uid uuid, feature_uid uuid, set_uid uuid, org_id text, project_uid uuid, action text, origin text, job_id text,
  model text, episodes uuid[], before jsonb, after jsonb, change_uid uuid, author jsonb,
  said_by jsonb)`,
});
