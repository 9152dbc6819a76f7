import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type AccessBounds,
  type AccessScope,
  addEpisodes,
  type AuditRecord,
  getApiKey,
  getWebhook,
  listApiKeys,
  notFound,
  recordAudit,
  removeEpisodes,
  revokeApiKey,
  searchEpisodes,
  searchFeatures,
  unavailable,
} from '@loci/contracts';
import { eventually } from '@loci/testing';
import { notedRecords } from '../../test/noted-records.js';
import { ROUTE_ROWS, type RouteRow } from '../../test/route-rows.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';
import { McpTools } from '../mcp/mcp-tools.js';
import { AUDITED_OPERATIONS, auditRuleOf, routeOperation } from './audited-operations.js';

const MINE = { org_id: 'acme', project_id: 'apollo' };
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

let gateway: TestGateway;
let keys: TestKeys;

beforeAll(async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
});

beforeEach(() => {
  keys = new TestKeys();
  keys.serve(gateway);
});

afterEach(() => {
  gateway.rpc.reset();
  gateway.events.forget();
});

afterAll(() => gateway.app.close());

/** What a key is bound to that may use the route. */
const boundsOf = ({ isDeploymentWide, isOrganizationWide }: RouteRow): AccessBounds => {
  if (isDeploymentWide) return {};
  return { orgId: 'acme', ...(!isOrganizationWide && { projectId: 'apollo' }) };
};

const keyOf = (row: RouteRow, scopes: readonly AccessScope[]) =>
  bearer(keys.add({ scopes, bounds: boundsOf(row), id: ID }));

async function call(row: RouteRow, headers: Readonly<Record<string, string>>): Promise<number> {
  const path = row.url.replace(':kind', 'embedders').replace(/:(id|name)/, 'x') + (row.query ?? '');
  const { body } = row;
  const payload = typeof body === 'object' && row.namesTenant !== false ? { ...MINE, ...body } : body;
  const answer = await gateway.app.inject({
    method: row.method,
    url: row.isTenantInQuery ? `${path}?${new URLSearchParams(MINE).toString()}` : path,
    headers: { ...row.headers, ...headers },
    ...(payload !== undefined && { payload }),
  });
  return answer.statusCode;
}

const kept = (): readonly AuditRecord[] =>
  gateway.rpc.requests(recordAudit).flatMap(({ records }) => records);

/** A record of this test alone shows that those before it have been sent. */
async function noted(): Promise<readonly AuditRecord[]> {
  const LAST = 'POST /api/v2/memories';
  const headers = { ...bearer(keys.add({ scopes: ['write'], bounds: {}, id: 'last' })) };
  await post(gateway, '/api/v2/memories', { ...MINE, messages: [{ content: 'x' }] }, headers);
  const all = () => notedRecords(gateway.events);
  const isLast = ({ actor, operation }: AuditRecord) => actor === 'last' && operation === LAST;
  await eventually(() => all().some(isLast), { what: 'all records were sent' });
  return all().filter((record) => !isLast(record));
}

/** What operations left since the test began: records that were stored before and with the outcome, and later ones. */
const left = async () => ({ kept: kept(), noted: await noted() });

/** What one operation by a rule leaves that got as far as its handler. */
function expected(rule: string, record: object, status: number) {
  const begun = expect.objectContaining({
    actorKind: 'api-key',
    actor: ID,
    clientAddress: '127.0.0.1',
    ...record,
  });
  const ended = expect.objectContaining({ actor: ID, ...record, status });
  const isNoted = rule === 'later' || (rule === 'refused' && status >= 400);
  return { kept: rule === 'first' ? [begun, ended] : [], noted: isNoted ? [ended] : [] };
}

test('the table has every route, tool and read of MCP that there is, and nothing else', () => {
  const routes = [...gateway.app.getHttpAdapter().getInstance().auditTable.keys()];
  const tools = gateway.app.get(McpTools, { strict: false }).all.map(({ name }) => `tool ${name}`);
  expect([...routes, ...tools, ...Object.keys(READS)].sort()).toEqual(Object.keys(AUDITED_OPERATIONS).sort());
});

test('a gateway does not start with a route or a tool that is not in the table', async () => {
  const start = startTestGateway({}, (server) => {
    server.get('/api/v2/forgotten', { config: { access: 'read' } }, () => 'x');
  });
  await expect(start).rejects.toThrow(/GET \/forgotten does not say whether it is audited/);
  expect(() => auditRuleOf('constructor')).toThrow(/does not say whether it is audited/);
});

describe.each(ROUTE_ROWS)('$method $url', (row) => {
  const operation = `${row.method} ${row.url}`;
  const rule = AUDITED_OPERATIONS[routeOperation(row.method, row.url)] ?? 'none';

  test(`is audited as the table says: ${rule}`, async () => {
    const status = await call(row, keyOf(row, ['admin']));
    const { orgId: actorOrgId } = boundsOf(row);
    const orgId = actorOrgId ?? row.namedOrganization;
    expect(await left()).toEqual(expected(rule, { operation, orgId, actorOrgId }, status));
  });

  if (rule === 'never') return;
  test('leaves a record of a refusal', async () => {
    expect(await call(row, keyOf(row, []))).toBe(403);
    const record = { operation, actor: ID, status: 403, code: 'forbidden' };
    expect(await left()).toEqual({ kept: [], noted: [expect.objectContaining(record)] });
  });
});

/** Routes by which administrators of the deployment reach what belongs to one organization or project. */
const REACHING = ROUTE_ROWS.filter(
  ({ method, url, namesTenant, isDeploymentWide, namedOrganization }) =>
    namesTenant === false &&
    (!isDeploymentWide || namedOrganization !== undefined) &&
    AUDITED_OPERATIONS[routeOperation(method, url)] === 'first',
);

test('what is reached from above is more than a few routes', () => {
  expect(REACHING.map(({ method, url }) => `${method} ${url}`)).toEqual(
    expect.arrayContaining(['DELETE /api/v2/keys/:id', 'PUT /api/v2/webhooks/:id', 'PUT /api/v2/quotas']),
  );
  expect(REACHING.length).toBeGreaterThan(12);
});

describe.each(REACHING)('$method $url of an administrator of the deployment', (row) => {
  const named = { org_id: 'acme', ...(!row.isOrganizationWide && !row.namedOrganization && MINE) };
  const level = { orgId: 'acme', ...(named.project_id && { projectId: 'apollo' }) };

  test('is in the audit of whose thing it is about', async () => {
    const thing = { bounds: { orgId: 'acme', projectId: 'apollo' } };
    gateway.rpc.on(getApiKey, () => thing as never).on(getWebhook, () => thing as never);
    const inBody = typeof row.body === 'object' && !row.url.includes(':');
    const answer = await gateway.app.inject({
      method: row.method,
      url: row.url.replace(':id', ID) + (inBody ? '' : `?${new URLSearchParams(named).toString()}`),
      headers: bearer(keys.add({ scopes: ['admin'], bounds: {}, id: 'above' })),
      ...(row.body && { payload: inBody ? { ...row.body, ...named } : row.body }),
    });
    const record = { actor: 'above', actorOrgId: undefined, ...level };
    const begun = expect.objectContaining(record);
    const ended = expect.objectContaining({ ...record, status: answer.statusCode });
    expect(await left()).toEqual({ kept: [begun, ended], noted: [] });
  });
});

/** No process of config-service knows the operation yet, or none is there. */
const unserved = (): never => {
  throw unavailable('service_unavailable', 'x');
};

test('a key is found among all where config-service is still of the version before', async () => {
  const others = Array.from({ length: 1_000 }, () => ({
    id: randomUUID(),
    bounds: { orgId: 'umbrella' },
  }));
  const bounds = { orgId: 'acme', projectId: 'apollo' };
  const all = [...others, { id: ID, bounds }];
  gateway.rpc
    .on(getApiKey, unserved)
    .on(listApiKeys, ({ offset, limit }) => {
      const keys = all.slice(offset, offset + limit);
      return { keys: keys as never, total: all.length };
    })
    .on(revokeApiKey, () => ({}));
  const headers = bearer(keys.add({ scopes: ['admin'], bounds: {} }));
  const answer = await gateway.app.inject({ method: 'DELETE', url: `/api/v2/keys/${ID}`, headers });
  expect(answer.statusCode).toBe(204);
  expect((await left()).kept).toMatchObject([bounds, { ...bounds, status: 204 }]);
});

test('a thing whose level cannot be found out is left alone', async () => {
  gateway.rpc.on(getApiKey, unserved).on(listApiKeys, unserved);
  const headers = bearer(keys.add({ scopes: ['admin'], bounds: {} }));
  const answer = await gateway.app.inject({ method: 'DELETE', url: `/api/v2/keys/${ID}`, headers });
  expect(answer.statusCode).toBe(503);
  expect(gateway.rpc.requests(revokeApiKey)).toEqual([]);
  expect((await left()).noted).toMatchObject([{ status: 503 }]);
});

test('one that does not exist is noted where its caller is', async () => {
  gateway.rpc.on(getApiKey, () => {
    throw notFound('api_key_not_found', 'x');
  });
  const headers = bearer(keys.add({ scopes: ['admin'], bounds: { orgId: 'acme' } }));
  await gateway.app.inject({ method: 'DELETE', url: `/api/v2/keys/${ID}`, headers });
  expect(kept()).toMatchObject([{ orgId: 'acme', projectId: undefined }, { orgId: 'acme' }]);
});

test('a route whose path has an id, and that names no tenant, says of what', () => {
  const paths = REACHING.map(({ url }) => url).filter((url) => url.includes(':'));
  const things = gateway.app
    .getHttpAdapter()
    .getInstance()
    .accessTable.filter(({ thing }) => thing !== undefined)
    .map(({ url }) => url);
  expect(new Set(things)).toEqual(new Set(paths));
});

const CALLS = {
  add_memory: { content: 'x' },
  search_memory: { query: 'x' },
  get_context: { query: 'x' },
  list_memories: {},
  correct_memory: { semantic_memory_uid: 'm-1', value: 'x' },
  delete_memory: { episodic_memory_uids: ['m-1'] },
  list_conflicts: {},
  settle_conflict: { semantic_memory_uid: 'm-1' },
} as const;

const toolCall = (name: keyof typeof CALLS, id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: CALLS[name] },
});

const ask = (
  messages: object,
  scopes: readonly AccessScope[],
  further: Readonly<Record<string, string>> = {},
) => {
  const headers = bearer(keys.add({ scopes, bounds: { orgId: 'acme', projectId: 'apollo' }, id: ID }));
  const accept = 'application/json, text/event-stream';
  return post(gateway, '/mcp', messages, { accept, ...headers, ...further });
};

describe.each(Object.keys(CALLS) as (keyof typeof CALLS)[])('the tool %s', (name) => {
  const operation = `tool ${name}`;
  const rule = AUDITED_OPERATIONS[operation] ?? 'none';

  test(`is audited as the table says: ${rule}`, async () => {
    await ask(toolCall(name), ['admin']);
    expect(await left()).toEqual(expected(rule, { operation, orgId: 'acme', projectId: 'apollo' }, 500));
  });

  if (rule === 'never') return;
  test('leaves a record of a refusal', async () => {
    await ask(toolCall(name), ['read']);
    const record = { operation, actor: ID, status: 403, code: 'forbidden' };
    expect(await left()).toEqual({ kept: [], noted: [expect.objectContaining(record)] });
  });
});

/** What reads memory through MCP without a tool. */
const READS = {
  'resources/read': { uri: 'loci://users/alice/recent' },
  'prompts/get': { name: 'review_memory', arguments: { user_id: 'alice' } },
};

describe.each(Object.entries(READS))('%s of MCP', (operation, params) => {
  const message = { jsonrpc: '2.0', id: 1, method: operation, params };

  test('leaves no record of the own project', async () => {
    await ask(message, ['read']);
    expect(await left()).toEqual({ kept: [], noted: [] });
  });

  test.each([
    ['org-id', 'globex', 'globex/apollo'],
    ['proj-id', 'zeus', 'acme/zeus'],
  ])(
    'leaves a record where the header %s names what its key does not reach',
    async (header, name, foreign) => {
      const others = { 'org-id': 'acme', 'proj-id': 'apollo', [header]: name };
      const { status, body } = await ask([message, { ...message, id: 2 }], ['read'], others);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: [{ error: { data: { status: 404 } } }, {}],
      });
      const record = { operation, actor: ID, orgId: 'acme', projectId: 'apollo', resources: [foreign] };
      const refused = expect.objectContaining({ ...record, status: 404, code: 'project_not_found' });
      expect(await left()).toEqual({ kept: [], noted: [refused, refused] });
    },
  );
});

test.each([
  ['a tool by a key that cannot ask for its answer', toolCall('delete_memory'), ['write'], 403],
  ['a batch by such a key', Array(2).fill(toolCall('delete_memory')), ['write'], 403],
  ['a batch that is too long', Array(33).fill(toolCall('delete_memory')), ['admin'], 422],
] as const)(
  'what is refused before its tools are known leaves one record: %s',
  async (_, messages, scopes, status) => {
    expect((await ask(messages, scopes)).status).toBe(status);
    const record = { operation: 'POST /mcp', actor: ID, orgId: 'acme', projectId: 'apollo', status };
    expect(await left()).toEqual({ kept: [], noted: [expect.objectContaining(record)] });
  },
);

test('each call of a batch leaves what it would leave alone, whatever it comes with', async () => {
  gateway.rpc
    .on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }))
    .on(addEpisodes, () => ({ uids: ['u-1'] }))
    .on(searchFeatures, () => ({ features: [], degraded: [] }))
    .on(searchEpisodes, () => ({ enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] }));
  const names = ['delete_memory', 'search_memory', 'add_memory', 'delete_memory', 'search_memory'] as const;
  const { status, body } = await ask(names.map(toolCall), ['admin']);
  expect({ status, body }).toMatchObject({ status: 200, body: names.map(() => ({ result: {} })) });
  const records = await left();
  const ended = records.kept.filter((record) => record.status !== undefined);
  expect(ended).toMatchObject(
    Array(2).fill({ operation: 'tool delete_memory', resources: ['m-1'], status: 200 }),
  );
  expect(new Set(ended.map(({ id }) => id)).size).toBe(2);
  expect(records.kept).toHaveLength(4);
  expect(records.noted).toMatchObject([{ operation: 'tool add_memory', resources: ['u-1'], status: 200 }]);
});

test('a tool whose record cannot be stored does nothing', async () => {
  gateway.rpc.on(recordAudit, () => {
    throw unavailable('service_unavailable', 'x');
  });
  const { body } = await ask(toolCall('delete_memory'), ['admin']);
  const text = expect.stringContaining('"status":503');
  expect(body).toMatchObject({ result: { isError: true, content: [{ text }] } });
  expect(gateway.rpc.requests(removeEpisodes)).toEqual([]);
});
