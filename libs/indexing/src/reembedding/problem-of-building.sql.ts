import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { REEMBEDDING_PROBLEM } from './reembedding-lease.js';

/** Parameters: the owner, the index version. */
export const problemOfBuilding = (table: IndexedTable) =>
  sql({
    text: `SELECT ${REEMBEDDING_PROBLEM} AS problem FROM ${tablesOf(table).indexVersions}
           WHERE owner_uid = $1 AND uid = $2 AND state = 'building'`,
    row: { problem: 'text?' },
  });
