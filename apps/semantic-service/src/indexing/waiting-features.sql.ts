import { sql } from '@loci/persistence';
import { FROM_FEATURES } from '../features/feature-rows.js';
import { INDEXED_COLUMNS, INDEXED_ROW } from './feature-index-rows.js';

/** Those whose vector is not up to date, last changed first. Parameters: the set, how many at most. */
export const WAITING_FEATURES = sql({
  text: `SELECT ${INDEXED_COLUMNS} ${FROM_FEATURES}
         WHERE features.set_uid = $1 AND features.indexed_at IS NULL AND features.deleted_at IS NULL
         ORDER BY features.updated_at DESC, features.uid DESC LIMIT $2`,
  row: INDEXED_ROW,
});
