import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Parameters: the set, the uids. Its last condition is one of no index: with that of `features_tombstones` the planner may
 * read the tombstones of all sets, as it does where there were none when it looked.
 */
export const DROP_TOMBSTONES = sql({
  text: `DELETE FROM ${SCHEMA}.features
         WHERE set_uid = $1 AND uid = ANY($2::uuid[]) AND coalesce(deleted_at IS NOT NULL, false)`,
});
