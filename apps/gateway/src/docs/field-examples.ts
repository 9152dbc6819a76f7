import { isJsonObject } from '@loci/platform/schema';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';
import { type JsonSchema } from './json-schema.js';

/**
 * What the fields of requests and answers look like in the document, by their public names; a field whose name means
 * something else where it stands has an example of its own in its schema.
 */
export const EXAMPLES_BY_NAME: Readonly<Record<string, unknown>> = {
  org_id: 'acme',
  project_id: 'travel-agent',
  description: 'What our travel agent knows of its customers',
  content: 'Alice prefers window seats.',
  producer: 'alice',
  producer_id: 'alice',
  produced_for: 'travel-agent',
  produced_for_id: 'travel-agent',
  producer_role: 'user',
  role: 'user',
  timestamp: EXAMPLE_INSTANT,
  created_at: EXAMPLE_INSTANT,
  metadata: { channel: 'chat' },
  query: 'Where does Alice like to sit?',
  filter: "metadata.channel='chat'",
  score: 0.83,
  score_threshold: 0.2,
  session_key: 'acme/travel-agent',
  uid: EXAMPLE_UID,
  episodic_id: EXAMPLE_UID,
  episodic_ids: [EXAMPLE_UID],
  episode_summary: [''],
  count: 2,
  set_metadata: { user_id: 'alice' },
  embedder: 'embedded',
  reranker: 'identity',
  vector_store: 'qdrant',
  properties_schema: { channel: 'str' },
  service: 'loci',
  version: '0.1.0',
  actor: EXAMPLE_UID,
  actor_kind: 'key',
  added: 40,
  author: 'alice',
  calls: 12,
  citations: [EXAMPLE_UID],
  code: 'memory_not_found',
  contribution: 0.346,
  opinion: 0.8,
  score_before: 0.47,
  cost: 0.18,
  cursor: 'WyIyMDI1LTA2LTAxVDA5OjMwOjAwLjAwMDAwMFoiXQ',
  deleted: 2,
  detail: 'Memory not found.',
  episodes: 1_204,
  error: 'The provider refused the API key.',
  existing: 3,
  expires_at: EXAMPLE_INSTANT,
  features: 31,
  fingerprint: 'e3b0c44298fc1c14',
  hint: 'loci_k7Xa…',
  id: EXAMPLE_UID,
  indexed: 1_204,
  input_tokens: 48_000,
  job_id: EXAMPLE_UID,
  jsonrpc: '2.0',
  limit: 10_000,
  lines: 43,
  loc: ['body', 'messages', 0, 'content'],
  marker: '[1]',
  matching: 17,
  max_tokens: 1_000,
  message: 'Updated: llm_model=gpt',
  message_capacity: 64_000,
  messages: 240,
  messages_waiting: 4,
  model: 'gpt-5-mini',
  msg: 'Field required',
  name: 'travel agent of production',
  not_found: [EXAMPLE_UID],
  openapi: '3.1.0',
  operation: 'add_memories',
  output_tokens: 9_000,
  problem: 'The embedder does not answer.',
  prompt: 'Record what the customer likes and dislikes.',
  quota: 'projects',
  rank: 2,
  raw: 0.644,
  reason: 'The model answered without JSON.',
  request_id: EXAMPLE_UID,
  requested_at: EXAMPLE_INSTANT,
  resource_count: 2,
  resources: [EXAMPLE_UID],
  sequence_num: 0,
  session: 'trip-to-lisbon',
  sets: 3,
  skipped: 0,
  dates_left_out: 1,
  status: 'ok',
  subject: 'alice',
  sum: 1.183,
  superseded_by: EXAMPLE_UID,
  tags: ['user_id'],
  text: 'Alice prefers window seats.',
  tokens: 12,
  trusted_producers: ['alice'],
  ttl_seconds: 2_592_000,
  type: 'missing',
  used: 12,
  used_by: ['project acme/travel-agent (embedder)'],
  used_by_count: 1,
  user: 'alice',
  value: 'Alice prefers window seats.',
  vector_dimensions: 384,
  vector_graph_store: 'graph',
  segment_store: 'postgres',
  storage_backend: 'vector_store',
  backend: 'event',
  origin_type: 'default',
  content_type: 'string',
  episode_type: 'message',
  warnings: ['vector_dimensions has no effect: vectors have the size that their embedder gives them.'],
  weight: 0.4,
  after: 'WyIyMDI1LTA2LTAxVDA5OjMwOjAwLjAwMDAwMFoiXQ',
};

/**
 * A field with an example: its own, or what its name says, or the first of the values that it can have. What is made of
 * other fields shows theirs.
 */
export function withExample(name: string, field: JsonSchema): JsonSchema {
  if ('examples' in field || 'const' in field || isComposed(field)) return field;
  const example = exampleByName(name, field) ?? exampleByKind(field);
  return example === undefined ? field : { ...field, examples: [example] };
}

/** Whether it is made of fields that have examples themselves. */
export function isComposed(field: JsonSchema): boolean {
  const { anyOf, items } = field;
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).some(isComposed);
  if (typeof items === 'object' && items !== null) return isComposed(items as JsonSchema);
  return '$ref' in field || 'properties' in field || typeof field['additionalProperties'] === 'object';
}

function exampleByName(name: string, field: JsonSchema): unknown {
  if (!Object.hasOwn(EXAMPLES_BY_NAME, name) || field['format'] === 'uuid') return undefined;
  const example = EXAMPLES_BY_NAME[name];
  return typesOf(field).some((type) => IS_OF_TYPE[type]?.(example)) && isAllowed(field, example)
    ? example
    : undefined;
}

const isAllowed = ({ enum: choices }: JsonSchema, example: unknown): boolean =>
  !Array.isArray(choices) || choices.includes(example);

function exampleByKind(field: JsonSchema): unknown {
  if (Array.isArray(field['enum'])) return field['enum'][0];
  if (Array.isArray(field['anyOf'])) return (field['anyOf'] as JsonSchema[]).map(exampleByKind)[0];
  if ('const' in field) return field['const'];
  if (field['default'] !== undefined) return field['default'];
  if (field['format'] === 'uuid') return EXAMPLE_UID;
  if (field['format'] === 'date-time') return EXAMPLE_INSTANT;
  if (typesOf(field).includes('array')) return [EXAMPLE_UID];
  if (typesOf(field).includes('object')) return { channel: 'chat' };
  return typesOf(field).includes('boolean') ? true : undefined;
}

const typesOf = ({ type, anyOf }: JsonSchema): string[] =>
  Array.isArray(anyOf) ? (anyOf as JsonSchema[]).flatMap(typesOf) : [type].flat().map(String);

const IS_OF_TYPE: Readonly<Record<string, (example: unknown) => boolean>> = {
  string: (example) => typeof example === 'string',
  integer: Number.isInteger,
  number: (example) => typeof example === 'number',
  array: Array.isArray,
  object: isJsonObject,
};
