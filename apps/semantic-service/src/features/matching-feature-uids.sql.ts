import { sql } from '@loci/persistence';
import { type Predicate } from './feature-filter.js';
import { IS_LIVE } from './feature-conditions.js';
import { FROM_FEATURES } from './feature-rows.js';
import { inPartition } from './partition.js';

/** Parameters: the set, how many at most, two of the partition, and from 5 on those of the predicate. */
export const matchingFeatureUids = ({ sql: matches }: Predicate) =>
  sql({
    text: `SELECT features.uid ${FROM_FEATURES}
           WHERE features.set_uid = $1 AND ${IS_LIVE} AND ${inPartition(3)} AND ${matches} LIMIT $2`,
    row: { uid: 'uuid' },
  });
