import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from './indexed-table.js';

/** Parameters: the owner, fingerprint, dimensions, embedder. */
export const activateIndexVersion = (table: IndexedTable) =>
  sql({
    name: 'activate_index_version',
    text: `INSERT INTO ${tablesOf(table).indexVersions} (uid, owner_uid, fingerprint, dimensions, embedder, state)
           SELECT gen_random_uuid(), uid, $2, $3, $4, 'active' FROM (${table.owners}) AS owner WHERE uid = $1
           ON CONFLICT DO NOTHING`,
  });
