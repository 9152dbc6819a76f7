import {
  type EpisodicMemoryConfiguration,
  type LongTermMemoryConfiguration,
  type SemanticMemoryConfiguration,
  type ShortTermMemoryConfiguration,
} from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { nullable, textMap } from '../wire/answers.js';

const name = nullable(Type.String());
const enabled = Type.Boolean();

export const longTermAnswer = Type.Object(
  {
    backend: described(
      Type.Enum(['declarative', 'event']),
      'Kept for clients of MemMachine; it decides only which of the store names are shown.',
    ),
    embedder: described(name, 'Name of the registered embedder of episodes.', 'local'),
    reranker: described(name, 'Name of the registered reranker of hits; null = none.', 'identity'),
    vector_graph_store: described(
      name,
      'Name of a graph store, kept for clients of MemMachine; null when none is set.',
    ),
    vector_store: described(
      name,
      'Name of a vector store, kept for clients of MemMachine; null when none is set.',
    ),
    segment_store: described(
      name,
      'Name of a segment store, kept for clients of MemMachine; null when none is set.',
    ),
    properties_schema: described(
      nullable(textMap),
      'Types by metadata key, kept for clients of MemMachine; null when none is set.',
    ),
    enabled: described(
      enabled,
      'Whether long-term memory stores and finds episodes, where no project says otherwise.',
    ),
  },
  { title: 'LongTermMemoryConfig' },
);
export type LongTermAnswer = Static<typeof longTermAnswer>;

export const shortTermAnswer = Type.Object(
  {
    llm_model: described(
      name,
      'Name of the registered language model that writes summaries; null = none, and what no longer fits is left out.',
      'gpt',
    ),
    message_capacity: Type.Integer({ description: 'Characters, the summary included.' }),
    enabled: described(enabled, 'Whether short-term memory is in use, where no project says otherwise.'),
  },
  { title: 'ShortTermMemoryConfig' },
);
export type ShortTermAnswer = Static<typeof shortTermAnswer>;

export const episodicAnswer = Type.Object(
  {
    long_term_memory: described(longTermAnswer, 'Search over all episodes.'),
    short_term_memory: described(
      shortTermAnswer,
      'The newest episodes and the summary of those before them.',
    ),
    enabled: described(enabled, 'Whether episodic memory is in use, where no project says otherwise.'),
  },
  { title: 'EpisodicMemoryConfig' },
);
export type EpisodicAnswer = Static<typeof episodicAnswer>;

export const semanticAnswer = Type.Object(
  {
    enabled: described(enabled, 'Whether semantic memory is in use.'),
    database: described(
      name,
      'Name of a database, kept for clients of MemMachine; it has no effect. Null when none is set.',
      'postgres',
    ),
    storage_backend: described(
      name,
      'A kind of store, kept for clients of MemMachine; it has no effect. Null when none is set.',
    ),
    feature_store: described(
      name,
      'Name of a feature store, kept for clients of MemMachine; it has no effect. Null when none is set.',
      'postgres',
    ),
    vector_collection: described(
      name,
      'Name of a vector collection, kept for clients of MemMachine; it has no effect. Null when none is set.',
      'features',
    ),
    vector_dimensions: described(
      nullable(Type.Integer()),
      'Kept for clients of MemMachine; it has no effect: vectors have the size that their embedder gives them. Null when none is set.',
    ),
    llm_model: described(
      name,
      'Name of the registered language model that extracts features; null = none, and messages wait.',
      'gpt',
    ),
    embedding_model: described(name, 'Name of the registered embedder of features.', 'local'),
    ingestion_trigger_messages: described(
      Type.Integer(),
      'Messages that wait for a set before they are ingested.',
      5,
    ),
    ingestion_trigger_age_seconds: described(
      Type.Integer(),
      'Seconds after which fewer are ingested too.',
      300,
    ),
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
