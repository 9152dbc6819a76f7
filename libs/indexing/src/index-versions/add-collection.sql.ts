import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from './indexed-table.js';

/** Parameters: fingerprint, dimensions. One row when it was not known. */
export const addCollection = (table: IndexedTable) =>
  sql({
    name: 'add_collection',
    text: `INSERT INTO ${tablesOf(table).collections} (fingerprint, dimensions) VALUES ($1, $2)
           ON CONFLICT DO NOTHING RETURNING fingerprint`,
    row: { fingerprint: 'text' },
  });
