import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { REEMBEDDING_PROBLEM } from './reembedding-lease.js';

/** Parameter: the index version. */
export const problemOfBuilding = (table: IndexedTable) =>
  sql({
    text: `SELECT ${REEMBEDDING_PROBLEM} AS problem FROM ${tablesOf(table).indexVersions}
           WHERE uid = $1 AND state = 'building'`,
    row: { problem: 'text?' },
  });
