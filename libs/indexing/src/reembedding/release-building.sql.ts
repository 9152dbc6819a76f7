import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { REEMBEDDING_LEASE } from './reembedding-lease.js';

/** Parameters: the owner, the index version and the fence of its claim, milliseconds until it is claimed again, what stands in the way. */
export const releaseBuilding = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexVersions}
           SET ${REEMBEDDING_LEASE.renewed(4)}, ${REEMBEDDING_LEASE.ended}, problem = $5
           WHERE owner_uid = $1 AND uid = $2 AND state = 'building' AND ${REEMBEDDING_LEASE.isOwner(3)}`,
  });
