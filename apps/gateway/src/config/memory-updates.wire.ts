import { STORAGE_BACKENDS } from '@loci/contracts';
import { boolean, integer, mapOf, nullish, oneOf, text, described } from '@loci/platform/schema';
import { request } from '../wire/schema/request.js';

const BACKENDS = ['declarative', 'event'] as const;
const PROPERTY_TYPES = ['bool', 'int', 'float', 'str', 'datetime'] as const;

/** What the columns behind such numbers hold. */
const MAX_INTEGER = 2_147_483_647;

const name = text('MAX_LABEL_CHARS');
const positive = integer({ above: 0, max: MAX_INTEGER });

export class LongTermPart extends request('LongTermPart', {
  backend: described(
    nullish(oneOf(BACKENDS)),
    'Kept and shown for clients of MemMachine; it decides only which of the store names are shown. Absent or null = unchanged.',
  ),
  embedder: described(
    nullish(name),
    'Name of the registered embedder of episodes. Absent or null = unchanged.',
    'local',
  ),
  reranker: described(
    nullish(name),
    'Name of the registered reranker of hits; empty = none. Absent or null = unchanged.',
    'identity',
  ),
  vector_graph_store: described(
    nullish(name),
    'Name of a graph store, kept for clients of MemMachine; it has no effect. Absent or null = unchanged.',
  ),
  vector_store: described(
    nullish(name),
    'Name of a vector store, kept for clients of MemMachine; it has no effect. Absent or null = unchanged.',
  ),
  segment_store: described(
    nullish(name),
    'Name of a segment store, kept for clients of MemMachine; it has no effect. Absent or null = unchanged.',
  ),
  properties_schema: described(
    nullish(mapOf(oneOf(PROPERTY_TYPES), { maxKeys: 'MAX_METADATA_KEYS', maxKeyChars: 128 })),
    'Types by metadata key, kept for clients of MemMachine; they replace those set before, and have no effect. Absent or null = unchanged.',
    { channel: 'str' },
  ),
}) {}

export class LongTermBody extends request('LongTermSpec', {
  ...LongTermPart.schema.properties,
  enabled: described(
    nullish(boolean),
    'Whether long-term memory is in use, where no project says otherwise. Absent or null = unchanged.',
  ),
}) {}

export class ShortTermPart extends request('ShortTermPart', {
  llm_model: described(
    nullish(name),
    'Name of the registered language model that writes summaries; empty = none. Absent or null = unchanged.',
    'gpt',
  ),
  message_capacity: described(
    nullish(positive),
    'Characters that fit, the summary included. Absent or null = unchanged.',
    64000,
  ),
}) {}

export class ShortTermBody extends request('ShortTermSpec', {
  ...ShortTermPart.schema.properties,
  enabled: described(
    nullish(boolean),
    'Whether short-term memory is in use, where no project says otherwise. Absent or null = unchanged.',
  ),
}) {}

export class EpisodicBody extends request('EpisodicSpec', {
  long_term_memory: described(
    nullish(LongTermPart.schema),
    'Search over all episodes. Absent or null = unchanged.',
  ),
  short_term_memory: described(
    nullish(ShortTermPart.schema),
    'The newest episodes and the summary of those before them. Absent or null = unchanged.',
  ),
  long_term_memory_enabled: described(
    nullish(boolean),
    'Whether long-term memory is in use. Absent or null = unchanged.',
  ),
  short_term_memory_enabled: described(
    nullish(boolean),
    'Whether short-term memory is in use. Absent or null = unchanged.',
  ),
  enabled: described(nullish(boolean), 'Whether episodic memory is in use. Absent or null = unchanged.'),
}) {}

export class SemanticBody extends request('SemanticSpec', {
  enabled: described(nullish(boolean), 'Whether semantic memory is in use. Absent or null = unchanged.'),
  database: described(
    nullish(name),
    'Name of a database, kept for clients of MemMachine; it has no effect. Absent or null = unchanged.',
    'postgres',
  ),
  storage_backend: described(
    nullish(oneOf(STORAGE_BACKENDS)),
    'A kind of store, kept for clients of MemMachine; it has no effect. Absent or null = unchanged.',
  ),
  feature_store: described(
    nullish(name),
    'Name of a feature store, kept for clients of MemMachine; it has no effect. Absent or null = unchanged.',
    'postgres',
  ),
  vector_collection: described(
    nullish(name),
    'Name of a vector collection, kept for clients of MemMachine; it has no effect. Absent or null = unchanged.',
    'features',
  ),
  vector_dimensions: described(
    nullish(positive),
    'Kept for clients of MemMachine; it has no effect: vectors have the size that their embedder gives them. Absent or null = unchanged.',
  ),
  llm_model: described(
    nullish(name),
    'Name of the registered language model that extracts features; empty = none, and messages wait. Absent or null = unchanged.',
    'gpt',
  ),
  embedding_model: described(
    nullish(name),
    'Name of the registered embedder of features. Absent or null = unchanged.',
    'local',
  ),
  ingestion_trigger_messages: described(
    nullish(positive),
    'Messages that wait for a set before they are ingested. Absent or null = unchanged.',
    5,
  ),
  ingestion_trigger_age_seconds: described(
    nullish(positive),
    'Seconds after which fewer are ingested too. Absent or null = unchanged.',
    300,
  ),
}) {}

export class MemoryBody extends request('MemorySpec', {
  episodic_memory: described(
    nullish(EpisodicBody.schema),
    'How episodic memory works where no project says otherwise. Absent or null = unchanged.',
  ),
  semantic_memory: described(
    nullish(SemanticBody.schema),
    'How semantic memory works where no set says otherwise. Absent or null = unchanged.',
  ),
}) {}
