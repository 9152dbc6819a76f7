import { boundedRow, sql, withinBytes } from '@loci/persistence';
import { type Predicate } from './feature-filter.js';
import { IS_LIVE } from './feature-conditions.js';
import { FEATURE_BYTES, FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';
import { inPartition } from './partition.js';

/**
 * Parameters: the set, the uids, the bytes, two of the partition, and from 6 on those of the predicate.
 * @param name of this text; undefined when a request made the predicate
 */
export const featuresByUid = ({ sql: matches }: Predicate, name: string | undefined) =>
  sql({
    name,
    text: withinBytes({
      page: `SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
             WHERE features.set_uid = $1 AND features.uid = ANY($2::uuid[]) AND ${IS_LIVE}
               AND ${inPartition(4)} AND ${matches}`,
      columns: 'page.*',
      bytes: FEATURE_BYTES,
      maxBytes: '$3',
    }),
    row: boundedRow(FEATURE_ROW),
  });
