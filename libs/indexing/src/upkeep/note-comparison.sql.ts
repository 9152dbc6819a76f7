import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/**
 * Ends a turn. Parameters: fingerprint of the collection and the token of the turn, where the comparison goes on (null =
 * nowhere), whether it differs, whether all was compared, seconds until the next turn. It changes nothing once another turn
 * was taken or the comparison was begun again.
 */
export const noteComparison = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).collections} SET
             comparing_from = $3, differs = $4, compared_at = CASE WHEN $5 THEN now() ELSE compared_at END,
             compare_at = now() + make_interval(secs => $6)
           WHERE fingerprint = $1 AND compare_at = $2::timestamptz`,
  });
