/** What one tenant has that another must neither see nor touch, by the kind of its id. */
export interface Belongings {
  readonly episode: string;
  readonly setType: string;
  readonly set: string;
  readonly category: string;
  readonly tag: string;
  readonly feature: string;
}

/** One operation, called with ids that belong to somebody else. */
export interface IsolationRow {
  readonly path: string;
  /** @param ids those of the victim, or ones that nobody has: the answers must be the same */
  readonly body: (ids: Belongings) => object;
  /** What an id that is not there answers in one's own project. Absent = the operation takes no ids. */
  readonly missing?: number;
}

const NEW_CATEGORY = { category_name: 'planted', prompt: 'planted' };
const NEW_FEATURE = { category_name: 'profile', tag: 't', feature: 'f', value: 'planted' };

/** Below `/memories/semantic`. */
const SEMANTIC_ROWS: readonly IsolationRow[] = [
  { path: '/delete', body: ({ feature }) => ({ semantic_ids: [feature] }), missing: 404 },
  { path: '/feature', body: ({ set }) => ({ ...NEW_FEATURE, set_id: set }), missing: 404 },
  { path: '/feature/get', body: ({ feature }) => ({ feature_id: feature }), missing: 404 },
  { path: '/feature/update', body: ({ feature }) => ({ feature_id: feature, value: 'x' }), missing: 404 },
  { path: '/feature/history', body: ({ feature }) => ({ feature_id: feature }), missing: 404 },
  { path: '/feature/undo', body: ({ feature }) => ({ feature_id: feature }), missing: 404 },
  { path: '/set_type', body: () => ({ metadata_tags: ['owner'] }) },
  { path: '/set_type/list', body: () => ({}) },
  { path: '/set_type/delete', body: ({ setType }) => ({ set_type_id: setType }), missing: 404 },
  { path: '/set_id/get', body: () => ({ metadata_tags: [] }) },
  { path: '/set_id/list', body: () => ({}) },
  { path: '/set/configure', body: ({ set }) => ({ set_id: set }), missing: 404 },
  { path: '/category', body: ({ set }) => ({ ...NEW_CATEGORY, set_id: set }), missing: 404 },
  { path: '/category/get', body: ({ category }) => ({ category_id: category }), missing: 404 },
  {
    path: '/category/template',
    body: ({ setType }) => ({ ...NEW_CATEGORY, set_type_id: setType }),
    missing: 404,
  },
  { path: '/category/template/list', body: ({ setType }) => ({ set_type_id: setType }), missing: 404 },
  { path: '/category/disable', body: ({ set }) => ({ set_id: set, category_name: 'mine' }), missing: 404 },
  { path: '/category/set_ids/get', body: ({ category }) => ({ category_id: category }), missing: 200 },
  { path: '/category/delete', body: ({ category }) => ({ category_id: category }), missing: 404 },
  {
    path: '/category/tag',
    body: ({ category }) => ({ category_id: category, tag_name: 'x', tag_description: 'x' }),
    missing: 404,
  },
  { path: '/category/tag/delete', body: ({ tag }) => ({ tag_id: tag }), missing: 404 },
];

/** Every operation that names a project in its body: one line each. */
export const ISOLATION_ROWS: readonly IsolationRow[] = [
  { path: '/projects', body: () => ({ description: 'mine now' }) },
  { path: '/projects/get', body: () => ({}) },
  { path: '/projects/episode_count/get', body: () => ({}) },
  { path: '/projects/delete', body: () => ({}) },
  { path: '/memories', body: () => ({ messages: [{ content: 'planted' }] }) },
  { path: '/memories/search', body: () => ({ query: 'treasure' }) },
  { path: '/memories/list', body: () => ({}) },
  { path: '/memories/episodic/delete', body: ({ episode }) => ({ episodic_id: episode }), missing: 404 },
  {
    path: '/memories/episodic/delete',
    body: ({ episode }) => ({ episodic_ids: [episode, episode.toUpperCase()] }),
    missing: 404,
  },
  ...SEMANTIC_ROWS.map((row) => ({ ...row, path: `/memories/semantic${row.path}` })),
  { path: '/memory/episodic/config/get', body: () => ({}) },
  { path: '/memory/episodic/config', body: () => ({ enabled: false }) },
  { path: '/memory/episodic/short_term/config/get', body: () => ({}) },
  { path: '/memory/episodic/short_term/config', body: () => ({ enabled: false }) },
  { path: '/memory/episodic/long_term/config/get', body: () => ({}) },
  { path: '/memory/episodic/long_term/config', body: () => ({ enabled: false }) },
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
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
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
  toolCall('delete_memory', { episodic_memory_uids: ['x'], semantic_memory_uids: ['x'] }),
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
