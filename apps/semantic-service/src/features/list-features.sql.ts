import { boundedRow, sql, withinBytes } from '@loci/persistence';
import { type Predicate } from './feature-filter.js';
import { IS_LIVE } from './feature-conditions.js';
import { FEATURE_BYTES, FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';

/**
 * Parameters: the sets, how many at most, how many before them, the bytes, and from 5 on those of the predicate.
 * @param name of this text; undefined when a request made the predicate
 */
export const listFeatures = ({ sql: matches }: Predicate, pinnedFirst = false, name?: string) =>
  sql({
    name,
    text: withinBytes({
      page: `SELECT ${FEATURE_COLUMNS}, features.created_at ${FROM_FEATURES}
             WHERE features.set_uid = ANY($1::uuid[]) AND ${IS_LIVE} AND ${matches}
             ORDER BY ${pinnedFirst ? 'features.is_pinned DESC, ' : ''}features.created_at, features.uid LIMIT $2 OFFSET $3`,
      columns: 'page.*',
      bytes: FEATURE_BYTES,
      order: `${pinnedFirst ? 'page.is_pinned DESC, ' : ''}page.created_at, page.uid`,
      maxBytes: '$4',
    }),
    row: boundedRow({ ...FEATURE_ROW, created_at: 'timestamptz' }),
  });
