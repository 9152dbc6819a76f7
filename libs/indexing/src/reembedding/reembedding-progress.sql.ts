import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** How far all re-embeddings are. */
export const reembeddingProgress = (table: IndexedTable) =>
  sql({
    text: `SELECT count(*)::int AS "indexVersions", coalesce(sum(items), 0)::int AS items,
                  coalesce(sum(carried), 0)::int AS carried
           FROM ${tablesOf(table).indexVersions} WHERE state = 'building'`,
    row: { indexVersions: 'int4', items: 'int4', carried: 'int4' },
  });
