import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** A row that is not in an index version. Parameters: the owner, the index version. */
export const findMissing = (table: IndexedTable) =>
  sql({
    text: `SELECT uid FROM ${tablesOf(table).indexed}
           WHERE ${table.ownerColumn} = $1 AND ${table.belongs} AND carried_to IS DISTINCT FROM $2 LIMIT 1`,
    row: { uid: 'uuid' },
  });
