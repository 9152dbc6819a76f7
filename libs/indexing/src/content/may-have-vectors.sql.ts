import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Parameters: fingerprint of the collection, uids. */
export function mayHaveVectors(table: IndexedTable) {
  const { indexed, indexVersions } = tablesOf(table);
  const { ownerColumn, owners, belongs } = table;
  return sql({
    text: `SELECT uid FROM ${indexed} AS item
           WHERE uid = ANY($2::uuid[]) AND ${belongs}
             AND ${ownerColumn} IN (SELECT owner.uid FROM (${owners}) AS owner)
             AND EXISTS (SELECT FROM ${indexVersions} AS index_version
                         WHERE index_version.owner_uid = ${ownerColumn} AND index_version.fingerprint = $1)`,
    row: { uid: 'uuid' },
  });
}
