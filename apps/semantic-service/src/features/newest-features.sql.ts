import { sql } from '@loci/persistence';
import { IS_GOING_ON, IS_LIVE } from './feature-conditions.js';
import { FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';

/** Those that have not ended, last changed first. Parameters: the set, the category, how many at most. */
export const NEWEST_FEATURES = sql({
  name: 'newest_features',
  text: `
SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
WHERE features.set_uid = $1 AND features.category = $2 AND ${IS_LIVE} AND ${IS_GOING_ON}
ORDER BY features.updated_at DESC, features.uid DESC LIMIT $3`,
  row: FEATURE_ROW,
});
