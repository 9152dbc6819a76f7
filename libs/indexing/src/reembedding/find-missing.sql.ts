import { sql } from '@loci/persistence';
import { type IndexedTable } from '../index-versions/indexed-table.js';
import { missingRows } from './missing-rows.js';

/** A row that is not in an index version. Parameters: the owner, the index version. */
export const findMissing = (table: IndexedTable) =>
  sql({
    text: `SELECT uid FROM ${missingRows(table, { owner: '$1', version: '$2', limit: '1' })} AS missing`,
    row: { uid: 'uuid' },
  });
