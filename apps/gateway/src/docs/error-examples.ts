import { type ErrorCode } from '@loci/contracts';

/** What a refusal says, for the examples of the document: one sentence for each code that a client can meet. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Field required',
  invalid_filter: 'The filter cannot be read.',
  unknown_resource: 'No such resource is configured.',
  unknown_subject: "Nothing is known of 'ada'.",
  unauthenticated: 'Send a valid token in the header authorization: Bearer <token>.',
  forbidden: 'This token does not allow that; ask for one with the scope that it takes.',
  producer_not_allowed:
    'This key speaks for the producer "support-bot" alone; name that one or none, or use another key.',
  quota_exceeded:
    'The organization acme uses 1000 of its quota of 1000 projects; remove some, or ask an administrator of the deployment to raise it with PUT /api/v2/quotas.',
  route_not_found: 'There is nothing at this path; the paths of this API begin with /api/v2.',
  project_not_found:
    'Project acme/travel-agent does not exist; see the names in org_id and project_id, or create it with POST /api/v2/projects.',
  memory_not_found: 'None of these memories exists in the project.',
  resource_not_found: 'This resource does not exist; list the resources to see which do.',
  set_type_not_found: 'This set type does not exist; list the set types to see which do.',
  set_not_found: 'This set does not exist; list the sets to see which do.',
  category_not_found: 'This category does not exist in the project.',
  tag_not_found: 'This tag does not exist in the project.',
  feature_not_found: 'This feature does not exist in the project.',
  semantic_memory_disabled: 'Semantic memory is switched off; what waits for it goes on when it is on again.',
  change_not_found:
    'No such change of this set is known, so nothing was undone; list the changes of the set.',
  conflict_not_found: 'These features do not contradict each other; list the conflicts.',
  proposal_not_found: 'This proposal does not exist, or was decided; list the proposals.',
  job_not_found: 'This job does not exist in the project.',
  dead_letter_not_found: 'This dead letter does not exist, or was replayed already.',
  model_call_not_found: 'There is no such call; list them to see which are kept.',
  api_key_not_found: 'This key does not exist in the organization.',
  webhook_not_found: 'This webhook does not exist within the bounds of your key.',
  project_exists: 'Project acme/travel-agent exists already; use it, or choose another name.',
  name_confusable:
    'The project name trave1-agent looks like that of another project of the organization; use that one, or another name.',
  project_being_deleted:
    'Project acme/travel-agent is being deleted; try again when that is done, or use another name.',
  api_key_expired: 'This key has expired, and so would its new secret; make a new key.',
  resource_in_use: 'This resource is in use; choose another one where it is used, then remove it.',
  resource_built_in: 'This resource is built in and cannot be replaced or removed.',
  category_exists: 'The set has a category of this name already; choose another name.',
  proposal_outdated: 'The features of this proposal have changed since the model asked; reject it.',
  matching_changed:
    'Meanwhile 1281 messages match, and nothing is deleted; look at them, then send that number.',
  changed_since:
    'These features were changed since, by 0192f0c1-2b3c-7d4e-8f5a-6b7c8d9e0f10, so nothing was undone; look at these changes, or undo them, too.',
  lease_lost: 'Another worker took this work over; ask for its state.',
  idempotency_key_reused:
    'This Idempotency-Key was used with another request; use a new key for a new request.',
  idempotency_key_in_flight:
    'A request with this Idempotency-Key is still being worked on; try again in a second.',
  body_too_large: 'The body is too large; send fewer or shorter items at once.',
  model_input_too_long: 'The text is too long for the model; shorten it.',
  overloaded: 'Too many requests at once; try again in a second.',
  rate_limit_exceeded: 'This key sends too many requests; slow down.',
  model_quota_exceeded:
    'The organization has used its calls of language models of today; they go on tomorrow, or when the quota is raised.',
  internal_error: 'Something went wrong on our side; try again later.',
  model_reply_unusable: 'The model did not answer in the form that was asked for; try again later.',
  service_unavailable: 'The service cannot be reached; try again in a second.',
  database_unavailable: 'The database cannot be reached; try again in a second.',
  registry_unavailable: 'What is configured cannot be read yet; try again in a second.',
  resource_not_ready: 'This resource is not ready; see its status, and try again when it is.',
  vector_index_unavailable: 'The vector index cannot be reached; try again in a second.',
  vector_index_missing: 'The vector index is being rebuilt; try again in a second.',
  embedder_unavailable: 'The embedder cannot be reached; try again later.',
  reranker_unavailable: 'The reranker cannot be reached; try again later.',
  language_model_unavailable: 'The language model cannot be reached; try again later.',
  deadline_exceeded: 'The request took too long; repeat it, with its Idempotency-Key if it writes.',
};
