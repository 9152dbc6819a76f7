import { rowColumns, sql } from '@loci/persistence';
import { INDEX_VERSION_COLUMNS, INDEX_VERSION_ROW } from '../index-versions/index-version-rows.js';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { REEMBEDDING_LEASE } from './reembedding-lease.js';

/**
 * Leases an index version that is being built, of the organization that was served longest ago that with the oldest lease first,
 * one with a problem last. Parameters: milliseconds; the embedders that are busy; whether an attempt before it may have ended
 * with its process; the organizations that were served, the last one at the end.
 */
export function claimBuilding(table: IndexedTable) {
  const { indexVersions } = tablesOf(table);
  return sql({
    text: `WITH free AS (
             SELECT index_version.owner_uid, index_version.uid, owner.org_id FROM ${indexVersions} AS index_version
             JOIN (${table.owners}) AS owner ON owner.uid = index_version.owner_uid
             WHERE index_version.state = 'building' AND ${REEMBEDDING_LEASE.isFree}
               AND ${REEMBEDDING_LEASE.mayBegin}
               AND index_version.embedder <> ALL ($2::text[]) AND ($3 OR index_version.unfinished = 0)
             ORDER BY index_version.problem IS NOT NULL, array_position($4::text[], owner.org_id) NULLS FIRST,
               index_version.lease_until NULLS FIRST, index_version.changed_at
             LIMIT 1 FOR UPDATE OF index_version SKIP LOCKED)
           UPDATE ${indexVersions} AS index_version SET ${REEMBEDDING_LEASE.claimed(1)}, ${REEMBEDDING_LEASE.begun}
           FROM free WHERE index_version.owner_uid = free.owner_uid AND index_version.uid = free.uid
           RETURNING ${INDEX_VERSION_COLUMNS}, ${REEMBEDDING_LEASE.token} AS token, free.org_id,
             ${REEMBEDDING_LEASE.unfinishedBefore} AS unfinished`,
    row: rowColumns({ ...INDEX_VERSION_ROW, token: 'text', unfinished: 'int4', org_id: 'text' }),
  });
}
