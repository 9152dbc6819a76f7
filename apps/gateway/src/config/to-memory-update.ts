import {
  type EpisodicMemoryUpdate,
  type LongTermMemoryUpdate,
  type SemanticMemoryUpdate,
  type ShortTermMemoryUpdate,
} from '@loci/contracts';
import {
  type EpisodicBody,
  type LongTermPart,
  type SemanticBody,
  type ShortTermPart,
} from './memory-updates.wire.js';

export const toLongTerm = (body: LongTermPart, enabled: boolean | undefined): LongTermMemoryUpdate => ({
  enabled,
  backend: body.backend,
  embedder: body.embedder,
  reranker: body.reranker,
  vectorGraphStore: body.vector_graph_store,
  vectorStore: body.vector_store,
  segmentStore: body.segment_store,
  propertiesSchema: body.properties_schema,
});

export const toShortTerm = (body: ShortTermPart, enabled: boolean | undefined): ShortTermMemoryUpdate => ({
  enabled,
  llmModel: body.llm_model,
  messageCapacity: body.message_capacity,
});

export const toEpisodic = (body: EpisodicBody): EpisodicMemoryUpdate => ({
  enabled: body.enabled,
  longTerm: toLongTerm(body.long_term_memory ?? {}, body.long_term_memory_enabled),
  shortTerm: toShortTerm(body.short_term_memory ?? {}, body.short_term_memory_enabled),
});

export const toSemantic = (body: SemanticBody): SemanticMemoryUpdate => ({
  enabled: body.enabled,
  database: body.database,
  storageBackend: body.storage_backend,
  featureStore: body.feature_store,
  vectorCollection: body.vector_collection,
  vectorDimensions: body.vector_dimensions,
  llmModel: body.llm_model,
  embeddingModel: body.embedding_model,
  ingestionTriggerMessages: body.ingestion_trigger_messages,
  ingestionTriggerAgeSeconds: body.ingestion_trigger_age_seconds,
});
