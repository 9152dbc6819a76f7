import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText } from './episode-rows.js';

/**
 * An episode bears the time at which its transaction began, and appears when that ends: what is older than the oldest
 * transaction is complete. Asked for before, and apart from, the page: a transaction that ended between the two is then
 * in the page, and one that ended before was no transaction any more. A role sees its own transactions, which are all
 * that add episodes. Parameter: the least age in ms.
 */
export const COMPLETE_UNTIL = sql({
  text: `SELECT ${instantText(`least(now() - $1::float8 * interval '1 ms', min(xact_start))`)} AS until
         FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL`,
  row: { until: narrowed<Instant>('text') },
});
