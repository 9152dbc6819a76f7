import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/**
 * Marks some of what the former embedder could not embed as indexed, as long as the index version is the active one: with the
 * lock on it none is marked for one that was left. What is locked is being indexed or deleted by another.
 * Parameters: the owner, the index version, how many at most. It answers those that were marked.
 */
export function markReembedded(table: IndexedTable) {
  const { indexed, indexVersions } = tablesOf(table);
  return sql({
    text: `WITH index_version AS MATERIALIZED (
             SELECT uid FROM ${indexVersions} WHERE owner_uid = $1 AND uid = $2 AND state = 'active' FOR SHARE
           ), waiting AS MATERIALIZED (
             SELECT uid FROM ${indexed}
             WHERE ${table.ownerColumn} = $1 AND ${table.belongs} AND indexed_at IS NULL
               AND carried_to = (SELECT uid FROM index_version)
             LIMIT $3 FOR UPDATE SKIP LOCKED
           )
           UPDATE ${indexed} SET indexed_at = now()
           WHERE ${table.ownerColumn} = $1 AND uid = ANY (ARRAY(SELECT uid FROM waiting)) RETURNING uid`,
    row: { uid: 'uuid' },
  });
}
