import { sql } from '@loci/persistence';
import { type Predicate } from './feature-filter.js';
import { IS_LIVE } from './feature-conditions.js';
import { FEATURE_BYTES, FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';

const IN_SETS = `features.set_uid = ANY($1::uuid[])`;

/**
 * By turns the last changed of each category, so that one of which much is known leaves room for the others; of all that is
 * chosen, last changed first. Parameters: the sets, how many at most, how many bytes at most, from 4 on those of the predicate.
 */
export const newestOfEachCategory = ({ sql: matches }: Predicate) =>
  sql({
    text: `
WITH ranked AS (
  SELECT features.uid, features.updated_at, row_number() OVER (
    PARTITION BY features.category ORDER BY features.updated_at DESC, features.uid DESC) AS turn
  ${FROM_FEATURES}
  WHERE ${IN_SETS} AND ${IS_LIVE} AND ${matches}
  ORDER BY turn, features.updated_at DESC, features.uid DESC LIMIT $2
), page AS (
  SELECT ${FEATURE_COLUMNS}, features.updated_at, ranked.turn ${FROM_FEATURES}
  JOIN ranked ON ranked.uid = features.uid
  WHERE ${IN_SETS}
), measured AS (
  SELECT page.*, sum(${FEATURE_BYTES}) OVER (ORDER BY turn, updated_at DESC, uid DESC) AS bytes FROM page
)
SELECT ${Object.keys(FEATURE_ROW).join(', ')} FROM measured WHERE bytes <= $3 ORDER BY updated_at DESC, uid DESC`,
    row: FEATURE_ROW,
  });
