import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Those of the uids that are there. Parameters: the set, the uids. */
export const LIVE_FEATURES = sql({
  name: 'live_features',
  text: `SELECT uid FROM ${SCHEMA}.features WHERE set_uid = $1 AND uid = ANY($2::uuid[]) AND deleted_at IS NULL`,
  row: { uid: 'uuid' },
});
