import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { REEMBEDDING_LEASE } from './reembedding-lease.js';

/** Parameters: the owner, the index version and the fence of its claim, how many attempts were unfinished before it. */
export const takeBackBuilding = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexVersions} SET ${REEMBEDDING_LEASE.takenBack(4)}
           WHERE owner_uid = $1 AND uid = $2 AND ${REEMBEDDING_LEASE.isOwner(3)}`,
  });
