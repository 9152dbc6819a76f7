import { sql } from '@loci/persistence';
import { type IndexedTable } from '../index-versions/indexed-table.js';

/** The embedders that owners chose, each once. */
export const chosenEmbedders = (table: IndexedTable) =>
  sql({
    text: `SELECT DISTINCT embedder FROM (${table.owners}) AS owner WHERE embedder <> ''`,
    row: { embedder: 'text' },
  });
