import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** SQL: whether the active index version of the owner of `item` is in the collection of the first parameter. */
export const isInCollection = (table: IndexedTable): string => `EXISTS (
  SELECT FROM ${tablesOf(table).indexVersions} AS index_version
  WHERE index_version.owner_uid = item.${table.ownerColumn} AND index_version.state = 'active'
    AND index_version.fingerprint = $1)`;
