import { type AccessScope } from '@loci/contracts';

/** How a permitted caller calls a route, and what the route demands. */
export interface RouteRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly access: AccessScope;
  /** True for routes that need the scope `read`, too. */
  readonly reveals?: true;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for routes that the gateway answers without a service. */
  readonly isAnsweredHere?: true;
  /** Behind its path: what lets its answer end. */
  readonly query?: string;
  /** True for routes that name their tenant in the query. */
  readonly isTenantInQuery?: true;
  /** False for routes that name no tenant: they keep within the bounds of their caller. */
  readonly namesTenant?: false;
  /** True for routes that are about an organization as a whole: a caller who is bound to a project is refused. */
  readonly isOrganizationWide?: true;
  /** The organization that the body of a deployment-wide route names. */
  readonly namedOrganization?: string;
  /** True for routes that are about every tenant: a caller who is bound to some is refused. */
  readonly isDeploymentWide?: true;
}

const post = (url: string, access: AccessScope, body: object = {}): RouteRow => ({
  method: 'POST',
  url,
  access,
  body,
});

/** The memory operations, which both prefixes serve. */
const both = (path: string, access: AccessScope, body?: object): RouteRow[] =>
  ['/api/v2', '/v2'].map((prefix) => post(`${prefix}${path}`, access, body));

const inQuery = (row: RouteRow): RouteRow => ({ ...row, isTenantInQuery: true });

const withoutTenant = (row: RouteRow): RouteRow => ({ ...row, namesTenant: false });

const config = (method: RouteRow['method'], path: string, body?: object): RouteRow => ({
  method,
  url: `/api/v2/config${path}`,
  access: 'admin',
  namesTenant: false,
  isDeploymentWide: true,
  ...(body && { body }),
});

const SET = { set_id: 'mem_project_set_x' };
const CATEGORY = { category_name: 'c', prompt: 'p' };
const FEATURE = { feature_id: 'x' };

const semantic = (path: string, access: AccessScope, body?: object): RouteRow[] =>
  both(`/memories/semantic${path}`, access, body);

const SEMANTIC_ROWS: readonly RouteRow[] = [
  ...semantic('/delete', 'write', { semantic_id: 'x' }),
  ...semantic('/feature', 'write', { ...SET, category_name: 'c', tag: 't', feature: 'f', value: 'v' }),
  ...semantic('/feature/get', 'read', FEATURE),
  ...semantic('/feature/update', 'write', FEATURE),
  ...semantic('/feature/history', 'read', FEATURE),
  ...semantic('/feature/undo', 'write', FEATURE),
  ...semantic('/changes/list', 'read', SET),
  ...semantic('/changes/undo', 'write', { ...SET, change_ids: ['x'] }),
  ...semantic('/conflict/list', 'read'),
  ...semantic('/conflict/settle', 'write', { feature_id: 'x' }),
  ...semantic('/proposal/list', 'read'),
  ...semantic('/proposal/accept', 'write', { proposal_id: 'x' }),
  ...semantic('/proposal/reject', 'write', { proposal_id: 'x' }),
  ...semantic('/set_type', 'write', { metadata_tags: ['a'] }),
  ...semantic('/set_type/list', 'read'),
  ...semantic('/set_type/delete', 'write', { set_type_id: 'x' }),
  ...semantic('/set_id/get', 'read', { metadata_tags: [] }),
  ...semantic('/set_id/list', 'read'),
  ...semantic('/set/configure', 'write', SET),
  ...semantic('/category', 'write', { ...SET, ...CATEGORY }),
  ...semantic('/category/get', 'read', { category_id: 'x' }),
  ...semantic('/category/template', 'write', { set_type_id: 'x', ...CATEGORY }),
  ...semantic('/category/template/list', 'read', { set_type_id: 'x' }),
  ...semantic('/category/disable', 'write', { ...SET, category_name: 'c' }),
  ...semantic('/category/set_ids/get', 'read', { category_id: 'x' }),
  ...semantic('/category/update', 'write', { category_id: 'x', ttl_seconds: 0 }),
  ...semantic('/category/delete', 'write', { category_id: 'x' }),
  ...semantic('/category/tag', 'write', { category_id: 'x', tag_name: 't', tag_description: 'd' }),
  ...semantic('/category/tag/delete', 'write', { tag_id: 'x' }),
];

const MEMORY_PARTS = ['/episodic', '/episodic/long_term', '/episodic/short_term', '/semantic'];

/** Every route that is not operational. */
export const ROUTE_ROWS: readonly RouteRow[] = [
  ...both('/projects', 'write'),
  ...both('/projects/get', 'read'),
  ...both('/projects/list', 'read').map(withoutTenant),
  ...both('/projects/episode_count/get', 'read'),
  ...both('/projects/delete', 'admin'),
  ...both('/memories', 'write', { messages: [{ content: 'x' }] }),
  ...both('/memories/search', 'read', { query: 'x' }),
  ...both('/memories/list', 'read'),
  ...both('/context', 'read', { query: 'x' }),
  ...both('/profile', 'read', { user: 'x' }),
  ...both('/recall', 'read', { query: 'x' }),
  ...both('/memories/episodic/delete', 'write', { episodic_id: 'x' }),
  ...both('/memories/episodic/groups', 'read', { by: 'user' }),
  post('/api/v2/memories/forget', 'write', { filter: "producer_id='x'" }),
  post('/api/v2/memories/forget/preview', 'read', { filter: "producer_id='x'" }),
  inQuery({ method: 'GET', url: '/api/v2/memories/forget', access: 'read' }),
  inQuery({ method: 'GET', url: '/api/v2/memories/forget/:id', access: 'read' }),
  ...SEMANTIC_ROWS,
  post('/api/v2/memory/episodic/config/get', 'read'),
  post('/api/v2/memory/episodic/config', 'write'),
  post('/api/v2/memory/episodic/short_term/config/get', 'read'),
  post('/api/v2/memory/episodic/short_term/config', 'write'),
  post('/api/v2/memory/episodic/long_term/config/get', 'read'),
  post('/api/v2/memory/episodic/long_term/config', 'write'),
  post('/api/v2/memory/semantic/config/get', 'read'),
  post('/api/v2/memory/semantic/config', 'admin'),
  {
    method: 'PUT',
    url: '/api/v2/projects/config',
    access: 'write',
    reveals: true,
    body: { embedder: 'x' },
  },
  inQuery({ method: 'GET', url: '/api/v2/projects/index', access: 'read' }),
  inQuery({ method: 'GET', url: '/api/v2/projects/export', access: 'read' }),
  inQuery({
    method: 'POST',
    url: '/api/v2/projects/import',
    access: 'write',
    body: '{"kind":"project","format":1}',
    headers: { 'content-type': 'application/x-ndjson' },
  }),
  withoutTenant({
    method: 'POST',
    url: '/mcp',
    access: 'read',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_memory', arguments: { query: 'x' } },
    },
    headers: { accept: 'application/json, text/event-stream' },
  }),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/backlog', access: 'read' }),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/jobs', access: 'read' }),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/usage', access: 'read' }),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/dead-letters', access: 'read' }),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/dead-letters/:id', access: 'read' }),
  inQuery({ method: 'DELETE', url: '/api/v2/ingestion/dead-letters/:id', access: 'write' }),
  post('/api/v2/ingestion/dead-letters/:id/replay', 'write'),
  post('/api/v2/ingestion/dead-letters/replay', 'write'),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/calls', access: 'read' }),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/calls/:id', access: 'read' }),
  {
    ...post('/api/v2/ingestion/preview', 'write', {
      set_id: 'mem_x',
      category_name: 'x',
      messages: [{ content: 'x' }],
    }),
    reveals: true,
  },
  post('/api/v2/ingestion/relearn/preview', 'read'),
  post('/api/v2/ingestion/relearn', 'admin'),
  inQuery({ method: 'GET', url: '/api/v2/ingestion/relearn', access: 'read' }),
  withoutTenant(post('/api/v2/keys', 'admin', { name: 'x', scopes: ['read'] })),
  withoutTenant({ method: 'GET', url: '/api/v2/keys', access: 'admin' }),
  withoutTenant({ method: 'DELETE', url: '/api/v2/keys/:id', access: 'admin' }),
  withoutTenant(post('/api/v2/keys/:id/rotate', 'admin')),
  withoutTenant(post('/api/v2/webhooks', 'admin', { url: 'https://hooks.acme.example' })),
  withoutTenant({ method: 'GET', url: '/api/v2/webhooks', access: 'admin' }),
  withoutTenant({ method: 'GET', url: '/api/v2/webhooks/:id', access: 'admin' }),
  withoutTenant({ method: 'PUT', url: '/api/v2/webhooks/:id', access: 'admin', body: {} }),
  withoutTenant({ method: 'DELETE', url: '/api/v2/webhooks/:id', access: 'admin' }),
  withoutTenant(post('/api/v2/webhooks/:id/rotate', 'admin')),
  withoutTenant(post('/api/v2/webhooks/:id/test', 'admin')),
  withoutTenant({ method: 'GET', url: '/api/v2/webhooks/:id/deliveries', access: 'admin' }),
  withoutTenant({ method: 'GET', url: '/api/v2/audit', access: 'admin' }),
  withoutTenant({ method: 'GET', url: '/api/v2/events', access: 'read' }),
  ...['/api/v2/statistics', '/api/v2/statistics/stream'].map((url) =>
    withoutTenant({
      method: 'GET',
      url,
      access: 'read',
      isDeploymentWide: true,
      isAnsweredHere: true,
      query: '?follow=false',
    }),
  ),
  withoutTenant({ method: 'GET', url: '/api/v2/quotas', access: 'read', isOrganizationWide: true }),
  withoutTenant({
    method: 'PUT',
    url: '/api/v2/quotas',
    access: 'admin',
    isDeploymentWide: true,
    namedOrganization: 'acme',
    body: { org_id: 'acme' },
  }),
  config('GET', ''),
  config('GET', '/resources'),
  config('GET', '/resources/:kind/:name'),
  config('POST', '/resources/:kind', { name: 'x', provider: 'local', config: {} }),
  config('DELETE', '/resources/:kind/:name'),
  config('POST', '/resources/:kind/:name/retry', {}),
  config('PUT', '/memory', { semantic_memory: { enabled: true } }),
  ...MEMORY_PARTS.map((part) => config('GET', `/memory${part}`)),
  ...MEMORY_PARTS.map((part) => config('PUT', `/memory${part}`, { enabled: true })),
];
