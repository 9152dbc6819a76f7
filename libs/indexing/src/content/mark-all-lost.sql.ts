import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/**
 * Notes the next rows of the table, by uid, as lost, and says up to where: each step goes on behind the former, instead of
 * reading over what that has changed.
 *
 * Parameters: fingerprint of the collection, the uid that it begins behind, how many at most.
 */
export function markAllLost(table: IndexedTable) {
  const { indexed } = tablesOf(table);
  return sql({
    text: `WITH next AS MATERIALIZED (
             SELECT uid FROM ${indexed} AS item
             WHERE uid > $2 AND indexed_at IS NOT NULL AND ${isInCollection(table)}
             ORDER BY uid LIMIT $3 FOR UPDATE OF item SKIP LOCKED
           ), marked AS (
             UPDATE ${indexed} SET indexed_at = NULL, ordered_at = NULL WHERE uid IN (SELECT uid FROM next)
           )
           SELECT count(*)::int AS marked, (array_agg(uid ORDER BY uid DESC))[1] AS last FROM next`,
    row: { marked: 'int4', last: 'uuid?' },
  });
}
