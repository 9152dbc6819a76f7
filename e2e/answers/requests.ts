import { type Operation } from '../harness/api-document.js';
import { type Input } from './exchange.js';
import { fresh, PROJECT, RECEIVER, type World } from './world.js';

type Make = (world: World) => Input | Promise<Input>;

/** About the project. */
const about = (fields: object = {}): Input => ({ body: { ...PROJECT, ...fields } });

const inQuery = (further: Input = {}): Input => ({ ...further, query: PROJECT });

const LINES = { 'content-type': 'application/x-ndjson' };
const MCP = { accept: 'application/json, text/event-stream' };

/** A call of a tool of MCP. */
export const toolCall = (name: string, given: object): Input => ({
  headers: MCP,
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
});

const line = (): string => JSON.stringify({ kind: 'episode', uid: fresh(), content: 'imported' });

const webhook = async (world: World): Promise<Input> => ({ segments: { id: await world.webhook() } });

const reranker = async (world: World): Promise<Input> => ({
  segments: { kind: 'rerankers', name: await world.reranker() },
});

const NOTHING: Make = () => ({});

/**
 * A request to each operation that does what it is for. No other request uses what it changes or removes. The names
 * are the operation ids of the document, without the prefix of a duplicate under another path.
 */
const REQUESTS: Readonly<Record<string, Make>> = {
  health_check: NOTHING,
  liveness: NOTHING,
  readiness: NOTHING,
  metrics: NOTHING,
  openapi: NOTHING,

  create_project: () => about({ project_id: fresh() }),
  get_project: () => about(),
  list_projects: () => ({ body: {} }),
  get_episode_count: () => about(),
  delete_project: async (world) => about({ project_id: await world.project() }),
  configure_project: () => about({ embedder: 'local' }),
  get_project_index: () => inQuery(),
  export_project: () => inQuery(),
  import_project: () => inQuery({ body: line(), headers: LINES }),

  add_memories: () => about({ messages: [{ content: 'x' }] }),
  search_memories: () => about({ query: 'x' }),
  list_memories: () => about(),
  get_context: () => about({ query: 'x' }),
  recall_memories: () => about({ query: 'x' }),
  get_profile: async (world) => about({ user: await world.knownUser() }),
  delete_episodic_memory: async (world) => about({ episodic_id: await world.episode() }),
  group_episodes: () => about({ by: 'user' }),
  forget_memories: () => about({ filter: "producer_id='leaver'" }),
  preview_forget: () => about({ filter: "producer_id='leaver'" }),
  list_forget_jobs: () => inQuery(),
  get_forget_job: async (world) => inQuery({ segments: { id: await world.forgetJob() } }),
  delete_semantic_memory: async (world) => about({ semantic_id: await world.feature() }),

  add_feature: async (world) =>
    about({
      set_id: world.set,
      category_name: 'profile',
      tag: 't',
      feature: 'f',
      value: fresh(),
      citations: [await world.episode()],
    }),
  get_feature: async (world) => about({ feature_id: await world.feature(), load_citations: true }),
  update_feature: async (world) =>
    about({ feature_id: await world.feature(), category_name: 'profile', value: fresh() }),
  get_feature_history: async (world) => about({ feature_id: await world.feature() }),
  undo_feature: async (world) => about({ feature_id: await world.feature() }),
  list_set_changes: (world) => about({ set_id: world.set }),
  undo_set_changes: async (world) => {
    const change = await world.latestChange(await world.feature());
    return about({ set_id: world.set, change_ids: [change] });
  },

  list_conflicts: (world) => about({ set_id: world.set }),
  settle_conflict: async (world) => about({ feature_id: await world.conflict() }),

  list_proposals: (world) => about({ set_id: world.set }),
  accept_proposal: (world) => about({ proposal_id: world.proposal().id }),
  reject_proposal: (world) => about({ proposal_id: world.proposal().id }),

  create_semantic_set_type: () => about({ metadata_tags: [fresh()] }),
  list_semantic_set_types: () => about(),
  delete_semantic_set_type: async (world) => about({ set_type_id: await world.setType() }),
  get_semantic_set_id: () => about({ metadata_tags: [] }),
  list_semantic_set_ids: () => about(),
  configure_semantic_set: ({ set }) => about({ set_id: set, embedder_name: 'local' }),

  add_semantic_category: ({ set }) => about({ set_id: set, category_name: fresh(), prompt: 'p' }),
  get_semantic_category: async (world) => about({ category_id: await world.category() }),
  add_semantic_category_template: async (world) =>
    about({ set_type_id: await world.setType(), category_name: fresh(), prompt: 'p' }),
  list_semantic_category_templates: async (world) => about({ set_type_id: await world.setType() }),
  disable_semantic_category: ({ set }) => about({ set_id: set, category_name: fresh() }),
  get_semantic_category_set_ids: async (world) => about({ category_id: await world.category() }),
  update_semantic_category: async (world) => about({ category_id: await world.category(), ttl_seconds: 60 }),
  delete_semantic_category: async (world) => about({ category_id: await world.category() }),
  add_semantic_tag: async (world) =>
    about({ category_id: await world.category(), tag_name: 't', tag_description: 'd' }),
  delete_semantic_tag: async (world) => about({ tag_id: await world.tag() }),

  get_episodic_memory_config_episodic_configuration: () => about(),
  configure_episodic_memory: () => about({ enabled: true }),
  get_short_term_memory_config_episodic_configuration: () => about(),
  configure_short_term_memory: () => about({ enabled: true }),
  get_long_term_memory_config_episodic_configuration: () => about(),
  configure_long_term_memory: () => about({ enabled: true }),

  get_semantic_memory_settings: () => about(),
  configure_semantic_memory_of_project: () => about({ trusted_producers: ['*'] }),

  list_ingestion_backlog: () => inQuery(),
  list_ingestion_jobs: () => inQuery(),
  get_ingestion_usage: () => inQuery(),
  preview_ingestion: async (world) =>
    about({
      set_id: await world.readingSet(),
      category_name: fresh(),
      prompt: 'p',
      messages: [{ content: 'x' }],
    }),
  list_model_calls: () => inQuery(),
  get_model_call: async (world) => inQuery({ segments: { id: await world.modelCall() } }),
  preview_relearning: () => about(),
  get_relearning: () => inQuery(),
  relearn_messages: async (world) => about({ project_id: await world.project() }),
  list_ingestion_dead_letters: () => inQuery(),
  get_ingestion_dead_letter: (world) => inQuery({ segments: { id: world.deadLetter() } }),
  drop_ingestion_dead_letter: (world) => inQuery({ segments: { id: world.deadLetter() } }),
  replay_ingestion_dead_letter: (world) => ({ ...about(), segments: { id: world.deadLetter() } }),
  // of a project that has none: those of the other one are for the operations on a single one
  replay_ingestion_dead_letters: async (world) => about({ project_id: await world.project() }),

  create_key: () => ({ body: { name: 'x', scopes: ['read'], org_id: PROJECT.org_id } }),
  list_keys: () => ({ query: { org_id: PROJECT.org_id } }),
  revoke_key: async (world) => ({ segments: { id: (await world.key(['read'])).id } }),
  rotate_key: async (world) => ({ segments: { id: (await world.key(['read'])).id }, body: {} }),
  create_webhook: () => ({ body: { url: RECEIVER, org_id: PROJECT.org_id } }),
  list_webhooks: () => ({ query: { org_id: PROJECT.org_id } }),
  get_webhook: webhook,
  update_webhook: async (world) => ({ ...(await webhook(world)), body: { description: 'x' } }),
  remove_webhook: webhook,
  rotate_webhook: async (world) => ({ ...(await webhook(world)), body: {} }),
  test_webhook: webhook,
  list_webhook_deliveries: webhook,
  get_quotas: () => ({ query: { org_id: PROJECT.org_id } }),
  set_quotas: () => ({ body: { org_id: PROJECT.org_id, keys: 5_000 } }),
  stream_events: () => ({ query: { org_id: PROJECT.org_id, follow: 'false' } }),
  get_statistics: NOTHING,
  stream_statistics: () => ({ query: { follow: 'false' } }),
  list_audit: () => ({ query: { org_id: PROJECT.org_id } }),

  get_config: NOTHING,
  get_resources: NOTHING,
  add_resource: () => ({
    segments: { kind: 'rerankers' },
    body: { name: fresh(), provider: 'identity', config: {} },
  }),
  get_resource: reranker,
  remove_resource: reranker,
  retry_resource: reranker,
  update_memory_config: () => ({ body: { semantic_memory: { enabled: true } } }),
  get_episodic_memory_config_configuration: NOTHING,
  update_episodic_memory_config: () => ({ body: { enabled: true } }),
  get_long_term_memory_config_configuration: NOTHING,
  update_long_term_memory_config: () => ({ body: { enabled: true } }),
  get_short_term_memory_config_configuration: NOTHING,
  update_short_term_memory_config: () => ({ body: { enabled: true } }),
  get_semantic_memory_config: NOTHING,
  update_semantic_memory_config: () => ({ body: { enabled: true } }),

  mcp: () => toolCall('search_memory', { ...PROJECT, proj_id: PROJECT.project_id, query: 'x' }),
};

/** The name of an operation without that of its prefix. */
export const plainName = ({ operationId }: Operation): string => operationId.replace(/^(?:hosted|root)_/, '');

/** @throws Error for an operation that has no request here */
export async function requestFor(operation: Operation, world: World): Promise<Input> {
  const make = REQUESTS[plainName(operation)];
  if (!make) throw new Error(`Add a request for ${operation.operationId} to e2e/answers/requests.ts.`);
  return make(world);
}
