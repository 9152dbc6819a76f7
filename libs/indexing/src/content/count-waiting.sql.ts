import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** How many rows wait for their vectors, and for how many seconds the oldest does. */
export const countWaiting = (table: IndexedTable) =>
  sql({
    text: `SELECT count(*)::int AS items,
                  coalesce(extract(epoch FROM now() - min(${table.waitingSince})), 0)::float AS oldest
           FROM ${tablesOf(table).indexed} WHERE indexed_at IS NULL AND ${table.belongs}`,
    row: { items: 'int4', oldest: 'float8' },
  });
