import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/** Parameters: fingerprint of the collection, how many at most. */
export function markAllLost(table: IndexedTable) {
  const { indexed } = tablesOf(table);
  return sql({
    text: `WITH marked AS (
             UPDATE ${indexed} SET indexed_at = NULL, ordered_at = NULL WHERE uid IN (
               SELECT uid FROM ${indexed} AS item WHERE indexed_at IS NOT NULL AND ${isInCollection(table)}
               LIMIT $2 FOR UPDATE OF item SKIP LOCKED) RETURNING uid)
           SELECT count(*)::int AS marked FROM marked`,
    row: { marked: 'int4' },
  });
}
