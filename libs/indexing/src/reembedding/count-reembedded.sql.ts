import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/**
 * Counts what is to be re-embedded and what is: once, before the first step, since each notes what it adds. What took too long
 * to count then is not counted again. Parameters: the owner, the index version.
 */
export function countReembedded(table: IndexedTable) {
  const { indexed, indexVersions } = tablesOf(table);
  return sql({
    text: `UPDATE ${indexVersions} SET (items, carried) = (
             SELECT count(*), count(*) FILTER (WHERE carried_to = $2) FROM ${indexed}
             WHERE ${table.ownerColumn} = $1 AND ${table.belongs})
           WHERE owner_uid = $1 AND uid = $2 AND items = 0`,
  });
}
