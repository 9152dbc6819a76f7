import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/** Parameters: fingerprint of the collection, uids. */
export const markLost = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).indexed} AS item SET indexed_at = NULL, ordered_at = NULL
           WHERE uid = ANY($2::uuid[]) AND ${isInCollection(table)}`,
  });
