import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Marks as indexed what the former embedder could not embed. Parameters: the owner, the index version. */
export const markReembedded = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexed} SET indexed_at = now()
           WHERE ${table.ownerColumn} = $1 AND ${table.belongs} AND indexed_at IS NULL AND carried_to = $2`,
  });
