import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Parameters: the index version, how many rows were re-embedded since, seconds. No row when it is not being built. */
export const renewBuilding = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexVersions}
           SET carried = carried + $2, problem = NULL, lease_until = now() + make_interval(secs => $3)
           WHERE uid = $1 AND state = 'building' RETURNING uid`,
    row: { uid: 'uuid' },
  });
