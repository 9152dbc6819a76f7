import { randomUUID } from 'node:crypto';
import { type Operation } from '../harness/api-document.js';
import { type Input, withFields } from './exchange.js';
import { plainName } from './requests.js';
import { DOOMED, fresh, FULL, LOOK_ALIKE, LOOK_ALIKE_ORGANIZATION, PROJECT, type World } from './world.js';

/** Makes a request that would be granted into one with another answer. */
type Change = (input: Input, world: World) => Input | Promise<Input>;

const given =
  (fields: Readonly<Record<string, unknown>>): Change =>
  (input) =>
    withFields(input, fields);

const named =
  (segments: Readonly<Record<string, string>>): Change =>
  (input) => ({ ...input, segments: { ...input.segments, ...segments } });

const UNKNOWN_ID = randomUUID();
/** Of the organization's shape, but of no keys: other ids become sets of the project when something is added to them. */
const NO_SET = `mem_user_set_org_${PROJECT.org_id}_1_000000000000__user_nobody`;

/** A line of an import. */
const IN_NO_CATEGORY = {
  ...{ kind: 'feature', uid: UNKNOWN_ID, set: { tags: {} }, category: UNKNOWN_ID, tag: 'home' },
  ...{ feature_name: 'city', value: 'Graz', by_client: true },
};

/** By a key of the project alone. */
const ofProject =
  (change: Change): Change =>
  async (input, world) => {
    const { secret } = await world.key(['admin'], PROJECT);
    const changed = await change(input, world);
    return { ...changed, headers: { ...changed.headers, authorization: `Bearer ${secret}` } };
  };

/** In an organization whose quotas have no room. @param fieldsOf beside the names of organization and project */
const inFull =
  (fieldsOf: (world: World) => Readonly<Record<string, unknown>> = () => ({})): Change =>
  (input, world) => {
    const changed = withFields(input, { ...FULL, ...fieldsOf(world) });
    return { ...changed, headers: { ...changed.headers, authorization: `Bearer ${world.full.key}` } };
  };

const NEW_SET = inFull(() => ({ set_id: 'mem_project_set_new', citations: [] }));

const ORGANIZATIONS = ofProject(given({ is_org_level: true }));

const unknownId = (field: string): Change => given({ [field]: UNKNOWN_ID });

const UNKNOWN_MODEL = { llm_model: 'nobody' };

/** Undoes a change that another one followed, only if none did. @param undone the feature and its change, as fields */
const ofWhatChangedSince =
  (undone: (featureId: string, changeId: string) => Readonly<Record<string, unknown>>): Change =>
  async (input, world) => {
    const category = fresh();
    await world.category(category);
    const feature = await world.feature(category);
    const change = await world.latestChange(feature);
    await world.updateFeature(feature, 'profile');
    return withFields(input, { ...undone(feature, change), unless_changed: true });
  };

/** Answers that an operation shares with few others: how each is brought about, by its name in the document. */
const OWN_ANSWERS: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  create_project: {
    '409 project_exists': given(PROJECT),
    '409 name_confusable': given(LOOK_ALIKE),
    '422 unknown_resource': given({ config: { embedder: 'nobody' } }),
    '403 quota_exceeded': inFull(() => ({ project_id: fresh() })),
  },
  create_key: {
    '403 quota_exceeded': inFull(() => ({ project_id: null })),
    '409 name_confusable': given(LOOK_ALIKE),
    '409 project_being_deleted': given(DOOMED),
  },
  import_project: {
    '404 set_not_found': ofProject((input) => ({
      ...input,
      body: JSON.stringify({ kind: 'set_type', is_org_level: true, tags: ['team'] }),
    })),
    '404 category_not_found': (input) => ({ ...input, body: JSON.stringify(IN_NO_CATEGORY) }),
    '403 quota_exceeded': (input, world) =>
      inFull()({ ...input, body: JSON.stringify({ kind: 'set', tags: { room: 'kitchen' } }) }, world),
  },
  configure_project: { '422 unknown_resource': given({ embedder: 'nobody' }) },
  search_memories: { '422 invalid_filter': given({ filter: 'a =' }) },
  list_memories: { '422 invalid_filter': given({ filter: 'a =' }) },
  recall_memories: { '422 invalid_filter': given({ filter: 'a =' }) },
  group_episodes: { '422 invalid_filter': given({ filter: 'a =' }) },
  forget_memories: {
    '409 matching_changed': given({ expected_matching: 1_000_000 }),
    '422 invalid_filter': given({ filter: 'a =' }),
  },
  preview_forget: { '422 invalid_filter': given({ filter: 'a =' }) },
  get_forget_job: { '404 job_not_found': named({ id: UNKNOWN_ID }) },
  delete_episodic_memory: { '404 memory_not_found': unknownId('episodic_id') },
  delete_semantic_memory: { '404 memory_not_found': unknownId('semantic_id') },

  add_feature: {
    '403 quota_exceeded': NEW_SET,
    '404 set_not_found': given({ set_id: NO_SET }),
    '404 category_not_found': unknownId('category_name'),
    '404 memory_not_found': given({ citations: [UNKNOWN_ID] }),
  },
  get_feature: { '404 feature_not_found': unknownId('feature_id') },
  update_feature: {
    '404 feature_not_found': unknownId('feature_id'),
    '404 category_not_found': unknownId('category_name'),
  },
  get_feature_history: { '404 feature_not_found': unknownId('feature_id') },
  undo_feature: {
    '404 feature_not_found': unknownId('feature_id'),
    '404 change_not_found': async (input, world) =>
      withFields(input, { feature_id: await world.feature(), change_id: UNKNOWN_ID }),
    '404 category_not_found': async (input, world) => {
      const name = fresh();
      const category = await world.category(name);
      const feature_id = await world.feature(name);
      await world.updateFeature(feature_id, 'profile');
      await world.deleteCategory(category);
      return withFields(input, { feature_id });
    },
    '409 changed_since': ofWhatChangedSince((feature_id, change_id) => ({ feature_id, change_id })),
  },

  list_set_changes: { '404 set_not_found': given({ set_id: NO_SET }) },
  undo_set_changes: {
    '404 set_not_found': given({ set_id: NO_SET }),
    '404 change_not_found': given({ change_ids: [UNKNOWN_ID] }),
    '404 category_not_found': async (input, world) => {
      const name = fresh();
      const category = await world.category(name);
      const feature = await world.feature(name);
      await world.updateFeature(feature, 'profile');
      const change_ids = [await world.latestChange(feature)];
      await world.deleteCategory(category);
      return withFields(input, { change_ids });
    },
    '409 changed_since': ofWhatChangedSince((_, change) => ({ change_ids: [change] })),
  },

  list_conflicts: { '404 set_not_found': given({ set_id: NO_SET }) },
  settle_conflict: {
    '404 feature_not_found': unknownId('feature_id'),
    '404 conflict_not_found': async (input, world) =>
      withFields(input, { feature_id: await world.feature() }),
  },

  list_proposals: { '404 set_not_found': given({ set_id: NO_SET }) },
  accept_proposal: {
    '404 proposal_not_found': unknownId('proposal_id'),
    '409 proposal_outdated': async (input, world) => {
      const { id, feature } = world.proposal();
      await world.updateFeature(feature, 'profile', 'changed meanwhile');
      return withFields(input, { proposal_id: id });
    },
  },
  reject_proposal: { '404 proposal_not_found': unknownId('proposal_id') },

  preview_ingestion: {
    '404 set_not_found': given({ set_id: NO_SET }),
    '404 category_not_found': given({ prompt: null }),
    '404 memory_not_found': given({ episode_ids: [UNKNOWN_ID] }),
    '429 model_quota_exceeded': inFull(),
  },

  create_semantic_set_type: {
    '403 quota_exceeded': inFull(),
    '404 set_type_not_found': ORGANIZATIONS,
  },
  get_semantic_set_id: { '404 set_not_found': ORGANIZATIONS },
  delete_semantic_set_type: { '404 set_type_not_found': unknownId('set_type_id') },
  configure_semantic_set: {
    '403 quota_exceeded': NEW_SET,
    '404 set_not_found': given({ set_id: NO_SET }),
    '422 unknown_resource': given({ embedder_name: 'nobody' }),
  },
  add_semantic_category: {
    '403 quota_exceeded': NEW_SET,
    '404 set_not_found': given({ set_id: NO_SET }),
    '409 category_exists': async (input, world) => {
      const category_name = fresh();
      await world.category(category_name);
      return withFields(input, { category_name });
    },
  },
  get_semantic_category: { '404 category_not_found': unknownId('category_id') },
  add_semantic_category_template: {
    '403 quota_exceeded': inFull(({ full }) => ({ set_type_id: full.setType })),
    '404 set_type_not_found': unknownId('set_type_id'),
    '409 category_exists': async (input, world) => {
      const [set_type_id, category_name] = [await world.setType(), fresh()];
      await world.template(set_type_id, category_name);
      return withFields(input, { set_type_id, category_name });
    },
  },
  list_semantic_category_templates: { '404 set_type_not_found': unknownId('set_type_id') },
  disable_semantic_category: {
    '404 set_not_found': given({ set_id: NO_SET }),
    '403 quota_exceeded': NEW_SET,
  },
  update_semantic_category: { '404 category_not_found': unknownId('category_id') },
  delete_semantic_category: { '404 category_not_found': unknownId('category_id') },
  add_semantic_tag: { '404 category_not_found': unknownId('category_id') },
  delete_semantic_tag: { '404 tag_not_found': unknownId('tag_id') },

  get_model_call: { '404 model_call_not_found': named({ id: UNKNOWN_ID }) },
  get_ingestion_dead_letter: { '404 dead_letter_not_found': named({ id: UNKNOWN_ID }) },
  drop_ingestion_dead_letter: { '404 dead_letter_not_found': named({ id: UNKNOWN_ID }) },
  replay_ingestion_dead_letter: { '404 dead_letter_not_found': named({ id: UNKNOWN_ID }) },

  revoke_key: { '404 api_key_not_found': named({ id: UNKNOWN_ID }) },
  rotate_key: {
    '404 api_key_not_found': named({ id: UNKNOWN_ID }),
    '409 api_key_expired': async (input, world) => named({ id: await world.expiredKey() })(input, world),
  },

  create_webhook: {
    '403 quota_exceeded': inFull(() => ({ project_id: null })),
    '409 name_confusable': given({ ...LOOK_ALIKE_ORGANIZATION, project_id: null }),
  },
  set_quotas: { '409 name_confusable': given(LOOK_ALIKE_ORGANIZATION) },
  get_webhook: { '404 webhook_not_found': named({ id: UNKNOWN_ID }) },
  update_webhook: { '404 webhook_not_found': named({ id: UNKNOWN_ID }) },
  remove_webhook: { '404 webhook_not_found': named({ id: UNKNOWN_ID }) },
  rotate_webhook: { '404 webhook_not_found': named({ id: UNKNOWN_ID }) },
  test_webhook: { '404 webhook_not_found': named({ id: UNKNOWN_ID }) },
  list_webhook_deliveries: { '404 webhook_not_found': named({ id: UNKNOWN_ID }) },

  add_resource: {
    '404 route_not_found': named({ kind: 'things' }),
    '409 resource_built_in': (input) => ({
      ...input,
      segments: { kind: 'embedders' },
      body: { name: 'local', provider: 'openai', config: { api_key: 'key', model: 'm' } },
    }),
    '422 unknown_resource': given({ provider: 'rrf-hybrid', config: { reranker_ids: ['nobody'] } }),
  },
  get_resource: {
    '404 route_not_found': named({ kind: 'things' }),
    '404 resource_not_found': named({ name: 'nobody' }),
  },
  remove_resource: {
    '404 route_not_found': named({ kind: 'things' }),
    '404 resource_not_found': named({ name: 'nobody' }),
    '409 resource_built_in': named({ kind: 'embedders', name: 'local' }),
    '409 resource_in_use': async (input, world) => named({ name: await world.usedReranker() })(input, world),
  },
  retry_resource: {
    '404 route_not_found': named({ kind: 'things' }),
    '404 resource_not_found': named({ name: 'nobody' }),
  },
  update_memory_config: {
    '400 nothing_to_update': () => ({ body: {} }),
    '422 unknown_resource': () => ({ body: { semantic_memory: UNKNOWN_MODEL } }),
  },
  update_episodic_memory_config: {
    '422 unknown_resource': () => ({ body: { short_term_memory: UNKNOWN_MODEL } }),
  },
  update_long_term_memory_config: { '422 unknown_resource': () => ({ body: { embedder: 'nobody' } }) },
  update_short_term_memory_config: { '422 unknown_resource': () => ({ body: UNKNOWN_MODEL }) },
  update_semantic_memory_config: { '422 unknown_resource': () => ({ body: UNKNOWN_MODEL }) },

  mcp: {
    '202': (input) => ({ ...input, body: { jsonrpc: '2.0', method: 'notifications/initialized' } }),
    '400': (input) => ({ ...input, body: {} }),
    '406': (input) => ({ ...input, headers: { accept: 'application/json' } }),
  },
};

export const ownAnswersOf = (operation: Operation): [name: string, Change][] =>
  Object.entries(OWN_ANSWERS[plainName(operation)] ?? {});
