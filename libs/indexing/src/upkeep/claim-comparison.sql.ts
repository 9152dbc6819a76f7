import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/**
 * Takes the turn to compare some of a collection. Parameters: its fingerprint, seconds until the next turn if nothing is
 * noted about this one, seconds after which all of it is compared again. No row when it is not time, or another worker has
 * the turn.
 */
export const claimComparison = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).collections} SET compare_at = now() + make_interval(secs => $2)
           WHERE fingerprint = $1 AND compare_at <= now()
           RETURNING compare_at::text AS token, comparing_from AS "from", differs,
             compared_at IS NULL OR compared_at < now() - make_interval(secs => $3) AS "isDue"`,
    row: { token: 'text', from: 'uuid?', differs: 'bool', isDue: 'bool' },
  });
