import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/** Whether more rows than that have their vectors in a collection; reads so many at most. Parameters: its fingerprint, how many. */
export const holdsMoreThan = (table: IndexedTable) =>
  sql({
    text: `SELECT count(*) > $2::int AS holds_more
           FROM (SELECT FROM ${tablesOf(table).indexed} AS item
                 WHERE indexed_at IS NOT NULL AND ${isInCollection(table)} LIMIT $2::int + 1) AS counted`,
    row: { holds_more: 'bool' },
  });
