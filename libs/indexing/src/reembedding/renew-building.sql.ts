import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { REEMBEDDING_LEASE } from './reembedding-lease.js';

/** Parameters: the index version and the fence of its claim, milliseconds. No row when the claim is lost. */
export const renewBuilding = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexVersions}
           SET ${REEMBEDDING_LEASE.renewed(3)}
           WHERE uid = $1 AND state = 'building' AND ${REEMBEDDING_LEASE.isOwner(2)} RETURNING uid`,
    row: { uid: 'uuid' },
  });
