import { sql } from '@loci/persistence';
import { type IndexedTable } from '../index-versions/indexed-table.js';

/** The embedders that some owners chose, each once; empty for the default. Parameter: the owners. */
export const embeddersOfOwners = (table: IndexedTable) =>
  sql({
    text: `SELECT DISTINCT embedder FROM (${table.owners}) AS owner WHERE owner.uid = ANY ($1::uuid[])`,
    row: { embedder: 'text' },
  });
