import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: organization, project, hash of the tags. */
export const SET_TYPE_OF_IDENTITY = sql({
  text: `SELECT uid FROM ${SCHEMA}.set_types
         WHERE org_id = $1 AND project_uid IS NOT DISTINCT FROM $2 AND tags_hash = $3`,
  row: { uid: 'uuid' },
});
