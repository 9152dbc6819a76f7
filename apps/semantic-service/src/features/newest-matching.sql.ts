import { sql } from '@loci/persistence';
import { type Predicate } from './feature-filter.js';
import { IS_LIVE } from './feature-conditions.js';
import { FEATURE_BYTES, FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';

const LATEST = 'updated_at DESC, uid DESC';

/** Last changed first. Parameters: the sets, how many at most, how many bytes at most, from 4 on those of the predicate. */
export const newestMatching = ({ sql: matches }: Predicate) =>
  sql({
    text: `
WITH page AS (
  SELECT ${FEATURE_COLUMNS}, features.updated_at ${FROM_FEATURES}
  WHERE features.set_uid = ANY($1::uuid[]) AND ${IS_LIVE} AND ${matches}
  ORDER BY features.updated_at DESC, features.uid DESC LIMIT $2
), measured AS (
  SELECT page.*, sum(${FEATURE_BYTES}) OVER (ORDER BY ${LATEST}) AS bytes FROM page
)
SELECT ${Object.keys(FEATURE_ROW).join(', ')} FROM measured WHERE bytes <= $3 ORDER BY ${LATEST}`,
    row: FEATURE_ROW,
  });
