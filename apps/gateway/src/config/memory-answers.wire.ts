import {
  type EpisodicMemoryConfiguration,
  type LongTermMemoryConfiguration,
  type SemanticMemoryConfiguration,
  type ShortTermMemoryConfiguration,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { nullable, textMap } from '../wire/answers.js';

const name = nullable(Type.String());
const enabled = Type.Boolean();

export const longTermAnswer = Type.Object(
  {
    backend: Type.Enum(['declarative', 'event']),
    embedder: name,
    reranker: name,
    vector_graph_store: name,
    vector_store: name,
    segment_store: name,
    properties_schema: nullable(textMap),
    enabled,
  },
  { title: 'LongTermMemoryConfig' },
);
export type LongTermAnswer = Static<typeof longTermAnswer>;

export const shortTermAnswer = Type.Object(
  {
    llm_model: name,
    message_capacity: Type.Integer({ description: 'Characters, the summary included.' }),
    enabled,
  },
  { title: 'ShortTermMemoryConfig' },
);
export type ShortTermAnswer = Static<typeof shortTermAnswer>;

export const episodicAnswer = Type.Object(
  { long_term_memory: longTermAnswer, short_term_memory: shortTermAnswer, enabled },
  { title: 'EpisodicMemoryConfig' },
);
export type EpisodicAnswer = Static<typeof episodicAnswer>;

export const semanticAnswer = Type.Object(
  {
    enabled,
    database: name,
    storage_backend: name,
    feature_store: name,
    vector_collection: name,
    vector_dimensions: nullable(Type.Integer()),
    llm_model: name,
    embedding_model: name,
    ingestion_trigger_messages: Type.Integer(),
    ingestion_trigger_age_seconds: Type.Integer(),
  },
  { title: 'SemanticMemoryConfig' },
);
export type SemanticAnswer = Static<typeof semanticAnswer>;

const orNull = (text: string | undefined): string | null => text || null;

export const fromLongTerm = (memory: LongTermMemoryConfiguration): LongTermAnswer => ({
  backend: memory.backend,
  embedder: orNull(memory.embedder),
  reranker: orNull(memory.reranker),
  vector_graph_store: orNull(memory.vectorGraphStore),
  vector_store: orNull(memory.vectorStore),
  segment_store: orNull(memory.segmentStore),
  properties_schema: Object.keys(memory.propertiesSchema).length > 0 ? memory.propertiesSchema : null,
  enabled: memory.enabled,
});

export const fromShortTerm = (memory: ShortTermMemoryConfiguration): ShortTermAnswer => ({
  llm_model: orNull(memory.llmModel),
  message_capacity: memory.messageCapacity,
  enabled: memory.enabled,
});

export const fromEpisodic = (memory: EpisodicMemoryConfiguration): EpisodicAnswer => ({
  long_term_memory: fromLongTerm(memory.longTerm),
  short_term_memory: fromShortTerm(memory.shortTerm),
  enabled: memory.enabled,
});

export const fromSemantic = (memory: SemanticMemoryConfiguration): SemanticAnswer => ({
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
