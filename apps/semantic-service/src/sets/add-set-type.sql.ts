import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Unless there is one of the same identity. Parameters: organization, project, hash of the tags; uid, tags, name, description. */
export const ADD_SET_TYPE = sql({
  text: `INSERT INTO ${SCHEMA}.set_types (org_id, project_uid, tags_hash, uid, tags, name, description)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
});
