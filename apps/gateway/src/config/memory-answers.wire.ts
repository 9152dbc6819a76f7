import {
  type EpisodicMemoryConfiguration,
  type LongTermMemoryConfiguration,
  type SemanticMemoryConfiguration,
  type ShortTermMemoryConfiguration,
} from '@loci/contracts';

const orNull = (text: string | undefined): string | null => text || null;

export const fromLongTerm = (memory: LongTermMemoryConfiguration): object => ({
  backend: memory.backend,
  embedder: orNull(memory.embedder),
  reranker: orNull(memory.reranker),
  vector_graph_store: orNull(memory.vectorGraphStore),
  vector_store: orNull(memory.vectorStore),
  segment_store: orNull(memory.segmentStore),
  properties_schema: Object.keys(memory.propertiesSchema).length > 0 ? memory.propertiesSchema : null,
  enabled: memory.enabled,
});

export const fromShortTerm = (memory: ShortTermMemoryConfiguration): object => ({
  llm_model: orNull(memory.llmModel),
  message_capacity: memory.messageCapacity,
  enabled: memory.enabled,
});

export const fromEpisodic = (memory: EpisodicMemoryConfiguration): object => ({
  long_term_memory: fromLongTerm(memory.longTerm),
  short_term_memory: fromShortTerm(memory.shortTerm),
  enabled: memory.enabled,
});

export const fromSemantic = (memory: SemanticMemoryConfiguration): object => ({
  enabled: memory.enabled,
  database: orNull(memory.database),
  storage_backend: orNull(memory.storageBackend),
  feature_store: orNull(memory.featureStore),
  vector_collection: orNull(memory.vectorCollection),
  vector_dimensions: memory.vectorDimensions ?? null,
  llm_model: orNull(memory.llmModel),
  embedding_model: orNull(memory.embeddingModel),
  ingestion_trigger_messages: memory.ingestionTriggerMessages,
  ingestion_trigger_age_seconds: memory.ingestionTriggerAgeSeconds,
});
