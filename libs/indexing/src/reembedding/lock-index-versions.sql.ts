import { sql } from '@loci/persistence';
import { INDEX_VERSION_COLUMNS, INDEX_VERSION_ROW } from '../index-versions/index-version-rows.js';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Locks the index versions of an owner. Parameter: the owner. */
export const lockIndexVersions = (table: IndexedTable) =>
  sql({
    text: `SELECT ${INDEX_VERSION_COLUMNS} FROM ${tablesOf(table).indexVersions} AS index_version
           WHERE owner_uid = $1 ORDER BY uid FOR UPDATE`,
    row: INDEX_VERSION_ROW,
  });
