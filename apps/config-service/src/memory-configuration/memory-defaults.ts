import { type MemoryConfiguration } from '@loci/contracts';

/** How memory works as delivered: everything that needs no provider is on. */
export const MEMORY_DEFAULTS: MemoryConfiguration = {
  episodic: {
    enabled: true,
    longTerm: {
      enabled: true,
      backend: 'event',
      embedder: 'local',
      reranker: '',
      vectorGraphStore: '',
      vectorStore: 'qdrant',
      segmentStore: 'postgres',
      propertiesSchema: {},
    },
    shortTerm: { enabled: true, messageCapacity: 64_000 },
  },
  semantic: {
    enabled: true,
    embeddingModel: 'local',
    ingestionTriggerMessages: 5,
    ingestionTriggerAgeSeconds: 300,
    database: 'postgres',
    storageBackend: 'vector_store',
    featureStore: 'postgres',
  },
};
