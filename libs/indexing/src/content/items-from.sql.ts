import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/**
 * The next rows of the table, by uid, and whether each has its vector in a collection. It says so of all instead of looking
 * for those that do: however few these are, it reads no more than its limit.
 *
 * Parameters: fingerprint of the collection, the first uid, how many at most.
 */
export const itemsFrom = (table: IndexedTable) =>
  sql({
    text: `SELECT uid, ${table.ownerColumn} AS owner, ${table.pointVersion} AS version,
                  indexed_at IS NOT NULL AND deleted_at IS NULL AND ${isInCollection(table)} AS "isIndexed"
           FROM ${tablesOf(table).indexed} AS item WHERE uid >= $2 ORDER BY uid LIMIT $3`,
    row: { uid: 'uuid', owner: 'uuid', version: 'int4', isIndexed: 'bool' },
  });
