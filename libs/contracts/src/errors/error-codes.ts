/** Every code that a client can meet, and the kind of failure it is. A code is never renamed. */
export const ERROR_KINDS = {
  invalid_request: 'invalid',
  invalid_filter: 'invalid',
  unknown_resource: 'invalid',
  unknown_subject: 'invalid',

  unauthenticated: 'unauthenticated',

  forbidden: 'forbidden',
  producer_not_allowed: 'forbidden',
  quota_exceeded: 'forbidden',

  route_not_found: 'not_found',
  project_not_found: 'not_found',
  memory_not_found: 'not_found',
  resource_not_found: 'not_found',
  set_type_not_found: 'not_found',
  set_not_found: 'not_found',
  category_not_found: 'not_found',
  tag_not_found: 'not_found',
  feature_not_found: 'not_found',
  change_not_found: 'not_found',
  conflict_not_found: 'not_found',
  proposal_not_found: 'not_found',
  job_not_found: 'not_found',
  dead_letter_not_found: 'not_found',
  model_call_not_found: 'not_found',
  api_key_not_found: 'not_found',
  webhook_not_found: 'not_found',

  project_exists: 'conflict',
  name_confusable: 'conflict',
  project_being_deleted: 'conflict',
  api_key_expired: 'conflict',
  resource_in_use: 'conflict',
  resource_built_in: 'conflict',
  category_exists: 'conflict',
  proposal_outdated: 'conflict',
  matching_changed: 'conflict',
  changed_since: 'conflict',
  lease_lost: 'conflict',
  idempotency_key_reused: 'conflict',
  idempotency_key_in_flight: 'conflict',

  body_too_large: 'too_large',
  model_input_too_long: 'too_large',

  overloaded: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  model_quota_exceeded: 'rate_limited',

  internal_error: 'internal',

  service_unavailable: 'unavailable',
  database_unavailable: 'unavailable',
  registry_unavailable: 'unavailable',
  resource_not_ready: 'unavailable',
  semantic_memory_disabled: 'unavailable',
  vector_index_unavailable: 'unavailable',
  vector_index_missing: 'unavailable',
  embedder_unavailable: 'unavailable',
  reranker_unavailable: 'unavailable',
  language_model_unavailable: 'unavailable',
  model_reply_unusable: 'unavailable',

  deadline_exceeded: 'timeout',
} as const satisfies Record<string, ErrorKind>;

export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'timeout';

export type ErrorCode = keyof typeof ERROR_KINDS;

/** The codes of one kind, so that a factory refuses a code of another. */
export type CodesOf<Kind extends ErrorKind> = {
  [Code in ErrorCode]: (typeof ERROR_KINDS)[Code] extends Kind ? Code : never;
}[ErrorCode];

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_KINDS, text);
