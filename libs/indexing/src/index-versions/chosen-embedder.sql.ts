import { sql } from '@loci/persistence';
import { type IndexedTable } from './indexed-table.js';

/** Parameter: the owner. No row when it is not open. */
export const chosenEmbedder = (table: IndexedTable) =>
  sql({
    name: 'chosen_embedder',
    text: `SELECT embedder FROM (${table.owners}) AS owner WHERE uid = $1`,
    row: { embedder: 'text' },
  });
