import { waitingColumns } from '@loci/indexing';
import { sql } from '@loci/persistence';
import { FROM_INDEXED, INDEXED_COLUMNS, INDEXED_ROW } from './feature-index-rows.js';

/**
 * Those whose vector is not up to date, last changed first, each with how many there are. Parameters: the set, how many at most, how
 * many bytes the values before a row may have.
 */
export const WAITING_FEATURES = sql({
  name: 'waiting_features',
  text: `
WITH waiting AS (
  SELECT ${INDEXED_COLUMNS}, row_number() OVER (ORDER BY features.updated_at DESC, features.uid DESC) AS position
  ${FROM_INDEXED}
  WHERE features.set_uid = $1 AND features.indexed_at IS NULL AND features.deleted_at IS NULL
  ORDER BY features.updated_at DESC, features.uid DESC LIMIT $2
), measured AS (
  SELECT waiting.*, ${waitingColumns('value', 'position')} FROM waiting
)
SELECT ${Object.keys(INDEXED_ROW).join(', ')}, waiting_count FROM measured WHERE bytes_before < $3::bigint
ORDER BY position`,
  row: { ...INDEXED_ROW, waiting_count: 'int4' },
});
