import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import { isInCollection } from './in-collection.js';

/** The versions that the points of rows should have in a collection. Parameters: its fingerprint, uids. */
export const rowVersions = (table: IndexedTable) =>
  sql({
    text: `SELECT uid, ${table.pointVersion} AS version FROM ${tablesOf(table).indexed} AS item
           WHERE uid = ANY($2::uuid[]) AND ${isInCollection(table)}`,
    row: { uid: 'uuid', version: 'int4' },
  });
