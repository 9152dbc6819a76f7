import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_GOING_ON } from '../features/feature-conditions.js';
import { FEATURE_COLUMNS, FEATURE_ROW } from '../features/feature-rows.js';
import { inPartition } from '../features/partition.js';
import { recentOfSubjects } from '../features/recent-of-subjects.js';

/**
 * Those that have not ended, last changed first, among those of each subject that are looked at. Parameters: the set, the
 * categories, two of the partition, the subjects (NULL among them: those without), how many at most.
 */
export const RECENT_FEATURES = sql({
  name: 'recent_features',
  text: `
SELECT ${FEATURE_COLUMNS} FROM ${recentOfSubjects(1, 5)} JOIN ${SCHEMA}.sets ON sets.uid = features.set_uid
WHERE features.category = ANY($2) AND ${IS_GOING_ON} AND ${inPartition(3)}
ORDER BY features.updated_at DESC, features.uid DESC LIMIT $6`,
  row: FEATURE_ROW,
});
