import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Has all of a collection compared again. Parameters: its fingerprint, seconds until then. */
export const compareAnew = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).collections} SET
             comparing_from = '00000000-0000-0000-0000-000000000000', differs = true, compared_at = NULL,
             compare_at = now() + make_interval(secs => $2)
           WHERE fingerprint = $1`,
  });
