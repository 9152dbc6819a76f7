import { sql } from '@loci/persistence';
import { IS_GOING_ON, IS_LIVE } from './feature-conditions.js';
import { FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';
import { inPartition } from './partition.js';

/**
 * Those that have not ended, last changed first. Parameters: the set, the category, a tag (null = all), how many at most, two of the partition, the
 * subjects (null = all; NULL among them: those without).
 */
export const NEWEST_FEATURES = sql({
  name: 'newest_features',
  text: `
SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
WHERE features.set_uid = $1 AND features.category = $2 AND ($3::text IS NULL OR features.tag = $3) AND ${IS_LIVE}
  AND ${IS_GOING_ON}
  AND ${inPartition(5)}
  AND ($7::text[] IS NULL OR features.subject = ANY($7) OR features.subject IS NULL AND array_position($7, NULL) IS NOT NULL)
ORDER BY features.updated_at DESC, features.uid DESC LIMIT $4`,
  row: FEATURE_ROW,
});
