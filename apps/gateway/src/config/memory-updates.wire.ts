import { STORAGE_BACKENDS } from '@loci/contracts';
import { boolean, integer, mapOf, nullish, oneOf, text } from '@loci/platform/schema';
import { request } from '../wire/schema/request.js';

const BACKENDS = ['declarative', 'event'] as const;
const PROPERTY_TYPES = ['bool', 'int', 'float', 'str', 'datetime'] as const;

/** What the columns behind such numbers hold. */
const MAX_INTEGER = 2_147_483_647;

const name = text('MAX_LABEL_CHARS');
const positive = integer({ above: 0, max: MAX_INTEGER });

export class LongTermPart extends request('LongTermPart', {
  backend: nullish(oneOf(BACKENDS)),
  embedder: nullish(name),
  reranker: nullish(name),
  vector_graph_store: nullish(name),
  vector_store: nullish(name),
  segment_store: nullish(name),
  properties_schema: nullish(
    mapOf(oneOf(PROPERTY_TYPES), { maxKeys: 'MAX_METADATA_KEYS', maxKeyChars: 128 }),
  ),
}) {}

export class LongTermBody extends request('LongTermSpec', {
  ...LongTermPart.schema.properties,
  enabled: nullish(boolean),
}) {}

export class ShortTermPart extends request('ShortTermPart', {
  llm_model: nullish(name),
  message_capacity: nullish(positive),
}) {}

export class ShortTermBody extends request('ShortTermSpec', {
  ...ShortTermPart.schema.properties,
  enabled: nullish(boolean),
}) {}

export class EpisodicBody extends request('EpisodicSpec', {
  long_term_memory: nullish(LongTermPart.schema),
  short_term_memory: nullish(ShortTermPart.schema),
  long_term_memory_enabled: nullish(boolean),
  short_term_memory_enabled: nullish(boolean),
  enabled: nullish(boolean),
}) {}

export class SemanticBody extends request('SemanticSpec', {
  enabled: nullish(boolean),
  database: nullish(name),
  storage_backend: nullish(oneOf(STORAGE_BACKENDS)),
  feature_store: nullish(name),
  vector_collection: nullish(name),
  vector_dimensions: nullish(positive),
  llm_model: nullish(name),
  embedding_model: nullish(name),
  ingestion_trigger_messages: nullish(positive),
  ingestion_trigger_age_seconds: nullish(positive),
}) {}

export class MemoryBody extends request('MemorySpec', {
  episodic_memory: nullish(EpisodicBody.schema),
  semantic_memory: nullish(SemanticBody.schema),
}) {}
