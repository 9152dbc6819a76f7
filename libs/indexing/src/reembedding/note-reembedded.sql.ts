import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { REEMBEDDING_LEASE } from './reembedding-lease.js';

/** Parameters: the index version and the fence of its claim, how many rows were re-embedded since. No row when the claim is lost. */
export const noteReembedded = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexVersions}
           SET carried = carried + $3, problem = NULL, ${REEMBEDDING_LEASE.gotOn}
           WHERE uid = $1 AND state = 'building' AND ${REEMBEDDING_LEASE.isOwner(2)} RETURNING uid`,
    row: { uid: 'uuid' },
  });
