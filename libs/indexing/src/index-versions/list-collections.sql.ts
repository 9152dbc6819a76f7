import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from './indexed-table.js';

export function listCollections(table: IndexedTable) {
  const { collections, indexVersions } = tablesOf(table);
  const isAny = (states: string): string =>
    `EXISTS (SELECT FROM ${indexVersions} AS index_version
             WHERE index_version.fingerprint = collection.fingerprint AND index_version.state IN (${states}))`;
  return sql({
    text: `SELECT fingerprint, dimensions, ${isAny(`'active', 'building'`)} AS "isInUse",
                  NOT ${isAny(`'building', 'retiring'`)} AS "isSettled"
           FROM ${collections} AS collection ORDER BY fingerprint`,
    row: { fingerprint: 'text', dimensions: 'int4', isInUse: 'bool', isSettled: 'bool' },
  });
}
