import { type Distribution } from '@loci/persistence';

/** Of the tables of `createIndexVersionTables` and `createIndexBacklog`. */
export const INDEX_DISTRIBUTION = {
  index_backlog: { whole: 'counters of the deployment' },
  index_collections: { whole: 'the collections of Qdrant, one for each embedder' },
  index_spaces: { by: 'owner_uid' },
  word_statistics: { by: 'owner_uid' },
} as const satisfies Distribution;
