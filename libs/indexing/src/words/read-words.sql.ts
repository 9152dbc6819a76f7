import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** The words of an owner. Parameter: the owner. */
export const readWords = (table: IndexedTable) =>
  sql({
    text: `SELECT revision, texts, coalesce(terms, '') AS terms FROM ${tablesOf(table).words} WHERE owner_uid = $1`,
    row: { revision: 'int4', texts: 'int4', terms: 'bytea' },
  });
