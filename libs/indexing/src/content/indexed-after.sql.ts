import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/** Parameters: fingerprint of the collection, behind which uid (null = from the beginning), how many at most. */
export const indexedAfter = (table: IndexedTable) =>
  sql({
    text: `SELECT uid, ${table.pointVersion} AS version FROM ${tablesOf(table).indexed} AS item
           WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ($2::uuid IS NULL OR uid > $2)
             AND ${isInCollection(table)}
           ORDER BY uid LIMIT $3`,
    row: { uid: 'uuid', version: 'int4' },
  });
