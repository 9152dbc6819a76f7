import { sql } from '@loci/persistence';
import { type Predicate } from './feature-filter.js';
import { IS_LIVE } from './feature-conditions.js';
import { FROM_FEATURES } from './feature-rows.js';

/**
 * Parameters: the sets, and from 2 on those of the predicate.
 * @param name of this text; undefined when a request made the predicate
 */
export const countListedFeatures = ({ sql: matches }: Predicate, name?: string) =>
  sql({
    name,
    text: `SELECT count(*)::int AS total ${FROM_FEATURES}
           WHERE features.set_uid = ANY($1::uuid[]) AND ${IS_LIVE} AND ${matches}`,
    row: { total: 'int4' },
  });
