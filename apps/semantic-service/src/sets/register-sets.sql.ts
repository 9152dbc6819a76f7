import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: the sets as JSON. Known ones stay as they are. */
export const REGISTER_SETS = sql({
  text: `INSERT INTO ${SCHEMA}.sets (uid, org_id, project_uid, id, kind, tags, tag_values, is_made_up)
         SELECT uid, org_id, project_uid, id, kind, tags, tag_values, is_made_up
         FROM jsonb_to_recordset($1::jsonb) AS given(uid uuid, org_id text, project_uid uuid, id text, kind text,
           tags text[], tag_values jsonb, is_made_up boolean)
         ON CONFLICT DO NOTHING`,
});
