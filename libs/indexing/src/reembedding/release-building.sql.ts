import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Parameters: the index version, seconds until it is claimed again, what stands in the way. */
export const releaseBuilding = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexVersions} SET lease_until = now() + make_interval(secs => $2), problem = $3
           WHERE uid = $1 AND state = 'building'`,
  });
