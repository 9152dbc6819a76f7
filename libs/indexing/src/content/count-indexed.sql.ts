import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/** Parameter: fingerprint of the collection. */
export const countIndexed = (table: IndexedTable) =>
  sql({
    text: `SELECT count(*)::int AS indexed FROM ${tablesOf(table).indexed} AS item
           WHERE indexed_at IS NOT NULL AND deleted_at IS NULL AND ${isInCollection(table)}`,
    row: { indexed: 'int4' },
  });
