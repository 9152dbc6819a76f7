import { sql, unindexed } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the set, the uids. */
export const DROP_TOMBSTONES = sql({
  text: `DELETE FROM ${SCHEMA}.features
         WHERE set_uid = $1 AND uid = ANY($2::uuid[]) AND ${unindexed('deleted_at IS NOT NULL')}`,
});
