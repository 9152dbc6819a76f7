import { sql } from '@loci/persistence';
import { FROM_INDEXED, INDEXED_COLUMNS, INDEXED_ROW } from './feature-index-rows.js';

/** Those that are there, and whether the index has them. Parameters: the set, the uids, the index version if it is being built. */
export const SORT_FEATURES = sql({
  name: 'sort_features',
  text: `SELECT ${INDEXED_COLUMNS},
                CASE WHEN $3::uuid IS NULL THEN indexed_at IS NOT NULL
                     ELSE carried_to IS NOT DISTINCT FROM $3 END AS is_indexed
         ${FROM_INDEXED}
         WHERE features.set_uid = $1 AND features.uid = ANY($2::uuid[]) AND features.deleted_at IS NULL`,
  row: { ...INDEXED_ROW, is_indexed: 'bool' },
});
