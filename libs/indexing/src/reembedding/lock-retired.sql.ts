import { sql } from '@loci/persistence';
import { INDEX_VERSION_COLUMNS, INDEX_VERSION_ROW } from '../index-versions/index-version-rows.js';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Locks the index version that has been retiring for longest. Parameter: for how many seconds at least. */
export const lockRetired = (table: IndexedTable) =>
  sql({
    text: `SELECT ${INDEX_VERSION_COLUMNS} FROM ${tablesOf(table).indexVersions} AS index_version
           WHERE state = 'retiring' AND changed_at < now() - make_interval(secs => $1)
           ORDER BY changed_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    row: INDEX_VERSION_ROW,
  });
