import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from './indexed-table.js';

/** Index versions that are being built begin again. Parameter: fingerprint of their collection. */
export const restartBuilding = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexVersions} SET uid = gen_random_uuid(), items = 0, carried = 0, lease_until = NULL
           WHERE fingerprint = $1 AND state = 'building'`,
  });
