import { sql } from '@loci/persistence';
import { INDEX_VERSION_COLUMNS, INDEX_VERSION_ROW } from './index-version-rows.js';
import { type IndexedTable, tablesOf } from './indexed-table.js';

/**
 * A search begins with it: one round trip for all that it has to know of the index. Parameter: the owner. An owner without
 * index versions has one row, in which all columns of the index version are null.
 */
export const indexOfOwner = (table: IndexedTable) =>
  sql({
    name: 'index_of_owner',
    text: `
      SELECT ${INDEX_VERSION_COLUMNS}, has_waiting
      FROM (SELECT EXISTS (
        SELECT FROM ${tablesOf(table).indexed}
        WHERE ${table.ownerColumn} = $1 AND indexed_at IS NULL AND ${table.belongs}) AS has_waiting) AS waiting
      LEFT JOIN ${tablesOf(table).indexVersions} AS index_version ON index_version.owner_uid = $1`,
    row: { ...INDEX_VERSION_ROW, uid: 'uuid?', has_waiting: 'bool' },
  });
