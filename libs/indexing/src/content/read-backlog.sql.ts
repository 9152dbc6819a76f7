import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** How many rows wait for their vectors, and for how many seconds the oldest does. Reads the same few rows at any size. */
export const readBacklog = (table: IndexedTable) =>
  sql({
    text: `SELECT coalesce(sum(items), 0)::int AS items,
                  coalesce(extract(epoch FROM now() - (${table.oldestWaiting})), 0)::float AS oldest
           FROM ${tablesOf(table).backlog}`,
    row: { items: 'int4', oldest: 'float8' },
  });
