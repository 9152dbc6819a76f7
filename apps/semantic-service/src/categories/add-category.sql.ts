import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: uid, organization, project, set or type of sets, name, prompt, description, time to live. No row when the name is taken. */
export const ADD_CATEGORY = sql({
  text: `INSERT INTO ${SCHEMA}.categories (uid, org_id, project_uid, set_uid, set_type_uid, name, prompt, description,
           ttl_seconds)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING uid`,
  row: { uid: 'uuid' },
});
