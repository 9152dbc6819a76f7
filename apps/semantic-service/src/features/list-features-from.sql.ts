import { type Instant } from '@loci/contracts';
import { firstWithinBytes, narrowed, PAGE_ROWS, sql } from '@loci/persistence';
import { instantText } from '../database.js';
import { type Predicate } from './feature-filter.js';
import { IS_LIVE } from './feature-conditions.js';
import { FEATURE_BYTES, FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';

/**
 * As many as fit into the bytes. Parameters: the sets, how many at most, the bytes, from 4 on those of the predicate, and with
 * `hasBegun` the time and the uid behind which to go on.
 */
export function listFeaturesFrom({ sql: matches, parameters }: Predicate, hasBegun: boolean) {
  const next = parameters.length + 4;
  return sql({
    text: firstWithinBytes({
      page: `SELECT ${FEATURE_COLUMNS}, features.created_at ${FROM_FEATURES}
             WHERE features.set_uid = ANY($1::uuid[]) AND ${IS_LIVE} AND ${matches}
             ${hasBegun ? `AND (features.created_at, features.uid) > ($${next}::timestamptz, $${next + 1}::uuid)` : ''}
             ORDER BY features.created_at, features.uid LIMIT $2`,
      columns: `${Object.keys(FEATURE_ROW).join(', ')}, page_rows, ${instantText('created_at')} AS listed_at`,
      bytes: FEATURE_BYTES,
      order: ['created_at', 'uid'],
      maxBytes: '$3',
    }),
    row: { ...FEATURE_ROW, ...PAGE_ROWS, listed_at: narrowed<Instant>('text') },
  });
}
