/** What one tenant has that another must neither see nor touch, by the kind of its id. */
export interface Belongings {
  readonly episode: string;
}

/** One operation, called with ids that belong to somebody else. */
export interface IsolationRow {
  /** Default POST; others name their project in the query. */
  readonly method?: 'GET' | 'DELETE';
  readonly path: string;
  /** @param ids those of the victim, or ones that nobody has: the answers must be the same */
  readonly body: (ids: Belongings) => object;
  /** What an id that is not there answers in one's own project. Absent = the operation takes no ids. */
  readonly missing?: number;
}

/** Every operation that names a project: one line each. */
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
  { path: '/memory/episodic/config/get', body: () => ({}) },
  { path: '/memory/episodic/config', body: () => ({ enabled: false }) },
  { path: '/memory/episodic/short_term/config/get', body: () => ({}) },
  { path: '/memory/episodic/short_term/config', body: () => ({ enabled: false }) },
  { path: '/memory/episodic/long_term/config/get', body: () => ({}) },
  { path: '/memory/episodic/long_term/config', body: () => ({ enabled: false }) },
  { method: 'GET', path: '/ingestion/backlog', body: () => ({}) },
  { method: 'GET', path: '/ingestion/jobs', body: () => ({}) },
  { method: 'GET', path: '/ingestion/usage', body: () => ({}) },
  { method: 'GET', path: '/ingestion/dead-letters', body: () => ({}) },
  { path: '/ingestion/dead-letters/replay', body: () => ({}) },
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
