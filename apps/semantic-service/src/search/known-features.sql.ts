import { sql } from '@loci/persistence';
import { IS_GOING_ON, IS_LIVE } from '../features/feature-conditions.js';
import { FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from '../features/feature-rows.js';
import { inPartition } from '../features/partition.js';

const found = (about: string): string => `(
  SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
  WHERE features.set_uid = $1 AND features.category = ANY($2) AND ${about} AND ${IS_LIVE} AND ${IS_GOING_ON} AND ${inPartition(3)}
  LIMIT $7)`;

/**
 * Any that have not ended, unsorted, so that the index `features_of_subject` gives as many as are wanted and no more are
 * read. Parameters: the set, the categories, two of the partition, the subjects, whether those without one too, how many of
 * each at most.
 */
export const KNOWN_FEATURES = sql({
  name: 'known_features',
  text: `${found('features.subject = ANY($5::text[])')} UNION ALL ${found('$6::boolean AND features.subject IS NULL')}`,
  row: FEATURE_ROW,
});
