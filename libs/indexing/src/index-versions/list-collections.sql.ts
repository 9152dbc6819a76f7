import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from './indexed-table.js';

export function listCollections(table: IndexedTable) {
  const { collections, indexVersions } = tablesOf(table);
  return sql({
    text: `SELECT fingerprint, dimensions, EXISTS (
                    SELECT FROM ${indexVersions} AS index_version
                    WHERE index_version.fingerprint = collection.fingerprint AND index_version.state IN ('active', 'building')
                  ) AS "isInUse",
                  compare_at <= now() AS "isToCompare"
           FROM ${collections} AS collection ORDER BY fingerprint`,
    row: { fingerprint: 'text', dimensions: 'int4', isInUse: 'bool', isToCompare: 'bool' },
  });
}
