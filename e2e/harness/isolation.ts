/** What one tenant has that another must neither see nor touch, by the kind of its id. */
export interface Belongings {
  readonly episode: string;
  readonly feature: string;
  /** Of a set of the project; ids of sets are names, not UUIDs. */
  readonly set: string;
  /** Of the organization as a whole. */
  readonly orgSet: string;
  readonly setType: string;
  readonly category: string;
  readonly template: string;
  readonly tag: string;
}

/** One operation, called with ids that belong to another tenant. */
export interface IsolationRow {
  /** Default POST; others name their project in the query. */
  readonly method?: 'GET' | 'DELETE';
  readonly path: string;
  /** @param ids those of the victim, or ones that do not exist: the answers must be the same */
  readonly body: (ids: Belongings) => object;
  /** What an id that is not there answers in one's own project. Absent = the operation takes no ids. */
  readonly missing?: number;
  /** The field of the answer with the id of what was made, which is another one each time. */
  readonly makes?: string;
}

const S = '/memories/semantic';
const CATEGORY = { category_name: 'planted', prompt: 'p' };
const FEATURE = { category_name: 'profile', tag: 't', feature: 'f', value: 'planted' };

const takingNone = (path: string, body: object = {}): IsolationRow => ({
  path: `${S}${path}`,
  body: () => body,
});

const taking = (path: string, body: IsolationRow['body']): IsolationRow => ({
  path: `${S}${path}`,
  body,
  missing: 404,
});

/** Ids of sets are names: the id of another tenant's set names a set of the caller's own, which is made on first use. */
const naming = (path: string, body: IsolationRow['body'], status: number, makes?: string): IsolationRow => ({
  path: `${S}${path}`,
  body,
  missing: status,
  ...(makes !== undefined && { makes }),
});

const SEMANTIC_ROWS: readonly IsolationRow[] = [
  // before anything is put under these ids
  taking('/changes/list', ({ set }) => ({ set_id: set })),
  taking('/changes/undo', ({ set, feature }) => ({ set_id: set, change_ids: [feature] })),
  takingNone('/conflict/list'),
  taking('/conflict/settle', ({ feature }) => ({ feature_id: feature })),
  taking('/delete', ({ feature }) => ({ semantic_ids: [feature, feature.toUpperCase()] })),
  naming('/feature', ({ set }) => ({ ...FEATURE, set_id: set }), 201, 'feature_id'),
  taking('/feature', ({ orgSet }) => ({ ...FEATURE, set_id: orgSet })),
  taking('/feature/get', ({ feature }) => ({ feature_id: feature, load_citations: true })),
  taking('/feature/update', ({ feature }) => ({ feature_id: feature, value: 'planted' })),
  taking('/feature/history', ({ feature }) => ({ feature_id: feature })),
  taking('/feature/undo', ({ feature }) => ({ feature_id: feature })),
  takingNone('/set_type', { metadata_tags: ['planted'] }),
  takingNone('/set_type/list'),
  taking('/set_type/delete', ({ setType }) => ({ set_type_id: setType })),
  takingNone('/set_id/get', { metadata_tags: [] }),
  takingNone('/set_id/list', { set_metadata: { producer_id: 'victim' } }),
  naming('/set/configure', ({ set }) => ({ set_id: set, embedder_name: 'local' }), 204),
  naming('/category', ({ set }) => ({ ...CATEGORY, set_id: set }), 201, 'category_id'),
  naming('/category', ({ orgSet }) => ({ ...CATEGORY, set_id: orgSet }), 201, 'category_id'),
  taking('/category/get', ({ category }) => ({ category_id: category })),
  taking('/category/get', ({ template }) => ({ category_id: template })),
  taking('/category/template', ({ setType }) => ({ ...CATEGORY, set_type_id: setType })),
  taking('/category/template/list', ({ setType }) => ({ set_type_id: setType })),
  naming('/category/disable', ({ set }) => ({ set_id: set, category_name: 'profile' }), 204),
  {
    path: `${S}/category/set_ids/get`,
    body: ({ category }) => ({ category_id: category }),
    missing: 200,
  },
  taking('/category/update', ({ category }) => ({ category_id: category, ttl_seconds: 1 })),
  taking('/category/update', ({ template }) => ({ category_id: template, ttl_seconds: 1 })),
  taking('/category/delete', ({ category }) => ({ category_id: category })),
  taking('/category/delete', ({ template }) => ({ category_id: template })),
  taking('/category/tag', ({ category }) => ({ category_id: category, tag_name: 't', tag_description: 'd' })),
  taking('/category/tag/delete', ({ tag }) => ({ tag_id: tag })),
];

/** Every operation that names a project: one line each. */
export const ISOLATION_ROWS: readonly IsolationRow[] = [
  { path: '/projects', body: () => ({ description: 'mine now' }) },
  { path: '/projects/get', body: () => ({}) },
  { path: '/projects/episode_count/get', body: () => ({}) },
  { path: '/projects/delete', body: () => ({}) },
  { path: '/memories', body: () => ({ messages: [{ content: 'planted' }] }) },
  { path: '/memories/search', body: () => ({ query: 'treasure' }) },
  { path: '/memories/list', body: () => ({}) },
  { path: '/context', body: () => ({ query: 'treasure' }) },
  { path: '/profile', body: () => ({ user: 'pirate' }), missing: 422 },
  { path: '/memories/episodic/delete', body: ({ episode }) => ({ episodic_id: episode }), missing: 404 },
  {
    path: '/memories/episodic/delete',
    body: ({ episode }) => ({ episodic_ids: [episode, episode.toUpperCase()] }),
    missing: 404,
  },
  { path: '/memories/episodic/groups', body: () => ({ by: 'user' }) },
  { path: '/memories/forget', body: ({ episode }) => ({ filter: `uid='${episode}'` }) },
  { path: '/memories/forget/preview', body: ({ episode }) => ({ filter: `uid='${episode}'` }) },
  { method: 'GET', path: '/memories/forget', body: () => ({}) },
  { method: 'GET', path: '/memories/forget/0197a3f2-6b1c-7d44-9c1e-2f6a8b0d4e11', body: () => ({}) },
  ...SEMANTIC_ROWS,
  { path: '/memory/episodic/config/get', body: () => ({}) },
  { path: '/memory/episodic/config', body: () => ({ enabled: false }) },
  { path: '/memory/episodic/short_term/config/get', body: () => ({}) },
  { path: '/memory/episodic/short_term/config', body: () => ({ enabled: false }) },
  { path: '/memory/episodic/long_term/config/get', body: () => ({}) },
  { path: '/memory/episodic/long_term/config', body: () => ({ enabled: false }) },
  { method: 'GET', path: '/ingestion/backlog', body: () => ({}) },
  { method: 'GET', path: '/ingestion/jobs', body: () => ({}) },
  { method: 'GET', path: '/ingestion/usage', body: () => ({}) },
  { method: 'GET', path: '/ingestion/calls', body: () => ({}) },
  { method: 'GET', path: '/ingestion/dead-letters', body: () => ({}) },
  { path: '/ingestion/dead-letters/replay', body: () => ({}) },
  {
    path: '/ingestion/preview',
    body: ({ set }) => ({ set_id: set, category_name: 'profile', messages: [{ content: 'x' }] }),
  },
  { path: '/ingestion/relearn/preview', body: () => ({}) },
  { path: '/ingestion/relearn', body: () => ({}) },
  { method: 'GET', path: '/ingestion/relearn', body: () => ({}) },
];

export interface NamedProject {
  readonly org_id: string;
  readonly project_id: string;
}

/** An operation that names its project elsewhere, as it is sent. */
export interface IsolationRequest {
  readonly name: string;
  readonly path: (project: NamedProject) => string;
  readonly method: string;
  readonly type?: string;
  readonly body?: (project: NamedProject) => object;
}

const inQuery =
  (path: string) =>
  (project: NamedProject): string =>
    `/api/v2/projects/${path}?${new URLSearchParams({ ...project }).toString()}`;

const toolCall = (name: string, given: object): IsolationRequest => ({
  name: `the tool ${name}`,
  path: () => '/mcp',
  method: 'POST',
  body: ({ org_id, project_id }) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { ...given, org_id, proj_id: project_id } },
  }),
});

export const ISOLATION_REQUESTS: readonly IsolationRequest[] = [
  { name: 'the export', path: inQuery('export'), method: 'GET' },
  {
    name: 'the import',
    path: inQuery('import'),
    method: 'POST',
    type: 'application/x-ndjson',
    body: () => ({ kind: 'episode', uid: 'planted', content: 'planted' }),
  },
  { name: 'the index', path: inQuery('index'), method: 'GET' },
  {
    name: 'the models',
    path: () => '/api/v2/projects/config',
    method: 'PUT',
    body: (project) => ({ ...project, embedder: '' }),
  },
  toolCall('add_memory', { content: 'planted' }),
  toolCall('search_memory', { query: 'treasure' }),
  toolCall('get_context', { query: 'treasure' }),
  toolCall('list_memories', {}),
  toolCall('correct_memory', { semantic_memory_uid: 'x', value: 'planted' }),
  toolCall('delete_memory', { episodic_memory_uids: ['x'], semantic_memory_uids: ['x'] }),
  toolCall('list_conflicts', {}),
  toolCall('settle_conflict', { semantic_memory_uid: 'x' }),
];

/** Filters that would show more than they may, were they ever taken for something else than data. */
export const HOSTILE_FILTERS: readonly string[] = [
  `metadata.owner = 'victim'`,
  `metadata.owner != 'nobody'`,
  `NOT metadata.owner = 'nobody'`,
  `metadata.owner IS NOT NULL`,
  `producer_id = 'victim'`,
  `metadata.owner = 'x'' OR ''1''=''1'`,
  `metadata.owner = "x') OR (1=1) --"`,
  `metadata.owner = '%'`,
  `metadata.owner = '_______'`,
  `metadata.owner IN ('victim', '%', '*')`,
  `metadata.project_uid = '*'`,
  `org_id = 'victim'`,
  `project_uid IS NOT NULL`,
  `metadata.owner = 'x' OR producer_id != 'x'`,
];
