import { sql } from '@loci/persistence';
import { FIRST_UID, type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Has all of a collection compared again. Parameters: its fingerprint, seconds until then. */
export const compareAnew = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).collections} SET
             comparing_from = '${FIRST_UID}', differs = true, compared_at = NULL,
             compare_at = now() + make_interval(secs => $2)
           WHERE fingerprint = $1`,
  });
