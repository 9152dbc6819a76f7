import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** The first uid of the table, and that with which its last rows begin. Parameter: how many rows are the last. */
export function uidRange(table: IndexedTable) {
  const { indexed } = tablesOf(table);
  return sql({
    text: `SELECT (SELECT uid FROM ${indexed} ORDER BY uid LIMIT 1) AS first,
                  (SELECT uid FROM (SELECT uid FROM ${indexed} ORDER BY uid DESC LIMIT $1) AS newest
                   ORDER BY uid LIMIT 1) AS newest`,
    row: { first: 'uuid?', newest: 'uuid?' },
  });
}
