import { sql } from '@loci/persistence';
import { FROM_INDEXED, INDEXED_COLUMNS, INDEXED_ROW } from './feature-index-rows.js';

/** Oldest first. Parameters: the set, the index version, behind which time and uid, how many at most. */
export const MISSING_FEATURES = sql({
  text: `SELECT ${INDEXED_COLUMNS} ${FROM_INDEXED}
         WHERE features.set_uid = $1 AND features.deleted_at IS NULL AND carried_to IS DISTINCT FROM $2
           AND (features.created_at, features.uid) > ($3::timestamptz, $4::uuid)
         ORDER BY features.created_at, features.uid LIMIT $5`,
  row: INDEXED_ROW,
});
