import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  addEpisodes,
  type AuditRecord,
  createApiKey,
  listAudit,
  newApiKeySecret,
  recordAudit,
  removeEpisodes,
  removeFeatures,
  searchEpisodes,
  unavailable,
} from '@loci/contracts';
import { eventually } from '@loci/testing';
import { notedRecords } from '../../test/noted-records.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const MINE = { org_id: 'acme', project_id: 'apollo' };

let gateway: TestGateway;
let keys: TestKeys;
let admin: { authorization: string };

beforeEach(async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
  keys = new TestKeys();
  keys.serve(gateway);
  admin = bearer(keys.add({ scopes: ['admin'], bounds: { orgId: 'acme' }, id: ID }));
});

afterEach(() => gateway.app.close());

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `padding-${index}`);

/** Records whose outcome is known. */
async function records(count: number): Promise<readonly AuditRecord[]> {
  const all = () => [...new Map(sent().map((record) => [record.id, record])).values()];
  const isComplete = () => all().length >= count && all().every(({ status }) => status !== undefined);
  await eventually(isComplete, { what: `${count} records were sent` });
  return all();
}

const sent = (): readonly AuditRecord[] => [...kept(), ...noted()];

/** Those whose sender waited until they were stored. */
const kept = (): readonly AuditRecord[] =>
  gateway.rpc.requests(recordAudit).flatMap((batch) => batch.records);

const noted = (): readonly AuditRecord[] => notedRecords(gateway.events);

function refuseRecords(): never {
  throw unavailable('service_unavailable', 'x');
}

test('what is not the adding of messages is stored before it is done, and with its outcome before the answer', async () => {
  const before: (readonly AuditRecord[])[] = [];
  gateway.rpc.on(removeEpisodes, ({ uids }) => {
    before.push(kept());
    return { deleted: uids, notFound: [] };
  });
  await post(gateway, '/api/v2/memories/episodic/delete', { ...MINE, episodic_ids: ['m-1'] }, admin);
  const [begun, done] = kept();
  expect(before).toEqual([[begun]]);
  expect(begun).toMatchObject({ operation: 'POST /api/v2/memories/episodic/delete', resources: ['m-1'] });
  expect(begun?.status).toBeUndefined();
  expect(done).toMatchObject({ id: begun?.id, status: 204 });
});

test('an outcome that cannot be stored at once is noted for later', async () => {
  gateway.rpc.on(removeEpisodes, ({ uids }) => {
    gateway.rpc.on(recordAudit, refuseRecords);
    return { deleted: uids, notFound: [] };
  });
  const body = { ...MINE, episodic_ids: ['m-1'] };
  expect((await post(gateway, '/api/v2/memories/episodic/delete', body, admin)).status).toBe(204);
  await eventually(() => noted().length > 0, { what: 'the outcome is noted' });
  expect(noted()).toMatchObject([{ id: kept()[0]?.id, status: 204 }]);
});

test('what cannot be stored is not done', async () => {
  gateway.rpc.on(recordAudit, refuseRecords);
  const body = { ...MINE, episodic_ids: ['m-1'] };
  const answer = await post(gateway, '/api/v2/memories/episodic/delete', body, admin);
  expect(answer.status).toBe(503);
  expect(gateway.rpc.requests(removeEpisodes)).toEqual([]);
});

test('adding messages does not wait for the audit', async () => {
  gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] })).on(recordAudit, refuseRecords);
  gateway.events.publish = () => Promise.reject(unavailable('service_unavailable', 'x'));
  const answer = await post(gateway, '/api/v2/memories', { ...MINE, messages: [{ content: 'x' }] }, admin);
  expect(answer.status).toBe(200);
});

test('a write is noted with who, what, where, which ids and how it ended, and without its text', async () => {
  gateway.rpc.on(addEpisodes, () => ({ uids: ['uid-1', 'uid-2'] }));
  const body = { ...MINE, messages: [{ content: 'a secret thought' }, { content: 'x', producer: 'ada' }] };
  await post(gateway, '/api/v2/memories', body, { ...admin, 'x-request-id': 'r-1' });
  const [record] = await records(1);
  expect(record).toMatchObject({
    actorKind: 'api-key',
    actor: ID,
    operation: 'POST /api/v2/memories',
    orgId: 'acme',
    projectId: 'apollo',
    resources: ['uid-1', 'uid-2'],
    status: 200,
    requestId: 'r-1',
  });
  expect(JSON.stringify(record)).not.toContain('thought');
});

test.each([
  ['by ids that nothing reads', { a_ids: ids(1_000), episodic_id: 'm-1' }],
  ['by ids of nothing', { episodic_ids: ids(1_000), episodic_id: 'm-1' }],
])('no id is kept out of a record %s: what it has no room for is not done', async (_, body) => {
  gateway.rpc.on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }));
  const answer = await post(gateway, '/api/v2/memories/episodic/delete', { ...MINE, ...body }, admin);
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'], type: 'too_long' }] } });
  expect(gateway.rpc.requests(removeEpisodes)).toEqual([]);
  expect(await records(1)).toMatchObject([{ status: 422, resourceCount: 1_001 }]);
});

const LONG_IDS = Array.from({ length: 1_000 }, (_, index) => `${index}-${'x'.repeat(250)}`);

test.each([
  ['first', '/api/v2/memories/episodic/delete', { episodic_ids: LONG_IDS }],
  ['later', '/api/v2/memories', { junk_ids: LONG_IDS }],
])(
  'long ids are named as far as a record has room: an operation that is recorded %s',
  async (_, url, body) => {
    const answer = await post(gateway, url, { ...MINE, ...body }, admin);
    expect(answer.status).toBe(422);
    const [record] = await records(1);
    const bytes = record?.resources.reduce((sum, id) => sum + Buffer.byteLength(id), 0);
    expect(bytes).toBeGreaterThan(63 * 1024);
    expect(bytes).toBeLessThanOrEqual(64 * 1024);
    expect(record?.resourceCount).toBe(1_000);
    expect(gateway.rpc.requests(removeEpisodes)).toEqual([]);
  },
);

test('a tool does not delete what the record of it has no room for', async () => {
  gateway.rpc.on(removeFeatures, ({ featureIds }) => ({ deleted: featureIds, notFound: [] }));
  const given = { episodic_memory_uids: ids(1_000), semantic_memory_uids: ['f-1'] };
  const call = { name: 'delete_memory', arguments: { proj_id: 'apollo', ...given } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
  const accept = 'application/json, text/event-stream';
  const answer = await post(gateway, '/mcp', message, { accept, ...admin });
  const text = expect.stringContaining('"status":422');
  expect(answer).toMatchObject({ body: { result: { isError: true, content: [{ text }] } } });
  expect(gateway.rpc.requests(removeFeatures)).toEqual([]);
});

test('of an add the messages that it made are named before what its body names', async () => {
  gateway.rpc.on(addEpisodes, () => ({ uids: ['uid-1'] }));
  const body = { ...MINE, a_ids: ids(1_000), messages: [{ content: 'padded' }] };
  expect((await post(gateway, '/api/v2/memories', body, admin)).status).toBe(200);
  const [record] = await records(1);
  expect(record?.resources).toHaveLength(1_000);
  expect(record?.resources[0]).toBe('uid-1');
});

test('what was refused is noted too, with its reason; text instead of an id is not', async () => {
  gateway.rpc.on(removeEpisodes, () => ({ deleted: [], notFound: ['m-1'] }));
  const remove = (body: object, headers = admin) =>
    post(gateway, '/api/v2/memories/episodic/delete', { ...MINE, ...body }, headers);
  const reader = bearer(keys.add({ scopes: ['read'], bounds: {}, id: ID.replace('0', '1') }));
  await remove({ episodic_ids: ['m-1', 'my whole life story'] });
  await remove({ episodic_id: 'm-1' }, reader);
  await remove({ org_id: 'globex', episodic_id: 'm-1' });
  expect(await records(3)).toMatchObject([
    { status: 404, code: 'memory_not_found', resources: ['m-1'] },
    { status: 403, code: 'forbidden', actor: ID.replace('0', '1') },
    { status: 404, code: 'project_not_found', orgId: 'acme', resources: ['globex/apollo', 'm-1'] },
  ]);
  expect(JSON.stringify(await records(3))).not.toContain('story');
});

test.each(['\ud800', 'a\u0000b', 'my whole life story', 'x'.repeat(300)])(
  'a tenant that cannot be one is not noted, or the record could not be stored: %j',
  async (name) => {
    await post(gateway, '/api/v2/memories/episodic/delete', { org_id: 'acme', project_id: name }, admin);
    const [record] = await records(1);
    expect(record).toMatchObject({ status: 422, orgId: 'acme', actor: ID });
    expect(record).not.toHaveProperty('projectId', expect.anything());
  },
);

test('a new key is noted by its id, never by its secret', async () => {
  const secret = newApiKeySecret();
  gateway.rpc.on(createApiKey, ({ name, scopes, bounds }) => ({
    id: ID,
    name,
    hint: secret.slice(0, 11),
    scopes,
    bounds,
    createdAt: '2026-01-01T00:00:00.000Z',
    secret,
  }));
  const answer = await post(gateway, '/api/v2/keys', { name: 'x', scopes: ['read'] }, admin);
  expect(answer).toMatchObject({ status: 201, body: { secret, org_id: 'acme' } });
  expect(await records(1)).toMatchObject([
    { operation: 'POST /api/v2/keys', resources: [ID], orgId: 'acme' },
  ]);
  expect(JSON.stringify(await records(1))).not.toContain(secret.slice(5, 20));
});

test('reads, and unknown callers, are not noted', async () => {
  gateway.rpc
    .on(searchEpisodes, () => ({ enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] }))
    .on(addEpisodes, () => ({ uids: ['u'] }));
  await post(gateway, '/api/v2/memories/search', { ...MINE, query: 'x' }, admin);
  await post(gateway, '/api/v2/memories', { ...MINE, messages: [{ content: 'x' }] });
  await post(gateway, '/api/v2/memories', { ...MINE, messages: [{ content: 'x' }] }, admin);
  expect(await records(1)).toHaveLength(1);
});

test('a read is noted that names an organization or a project which its key does not reach', async () => {
  const bounds = { orgId: 'acme', projectId: 'apollo' };
  const reader = bearer(keys.add({ scopes: ['read'], bounds, id: ID.replace('0', '1') }));
  const search = (project: object) =>
    post(gateway, '/api/v2/memories/search', { ...MINE, ...project, query: 'x' }, reader);
  expect((await search({ org_id: 'globex' })).status).toBe(404);
  expect((await search({ project_id: 'zeus' })).status).toBe(404);
  const refused = { operation: 'POST /api/v2/memories/search', status: 404, code: 'project_not_found' };
  expect(await records(2)).toMatchObject([
    { ...refused, orgId: 'acme', projectId: 'apollo', resources: ['globex/apollo'] },
    { ...refused, orgId: 'acme', projectId: 'apollo', resources: ['acme/zeus'] },
  ]);
  expect(kept()).toEqual([]);
});

test('administrators read what lies within their own bounds, page by page', async () => {
  gateway.rpc.on(listAudit, () => ({ records: [], next: ID }));
  const get = (query: string) => gateway.app.inject({ url: `/api/v2/audit${query}`, headers: admin });
  const answer = await get('?actor=ada&since=2026-01-01T00:00:00Z&page_size=7');
  expect(answer.headers['x-next-cursor']).toBe(ID);
  expect(gateway.rpc.requests(listAudit)).toMatchObject([
    { within: { orgId: 'acme' }, actor: 'ada', since: '2026-01-01T00:00:00.000000Z', limit: 7 },
  ]);
  expect((await get('?org_id=globex')).statusCode).toBe(404);
  expect((await get('?page_size=0&cursor=x')).json()).toMatchObject({
    detail: [{ loc: ['query', 'cursor'] }, { loc: ['query', 'page_size'] }],
  });
});

test.each([
  ['more than its maker may reach', { org_id: 'globex' }, 404],
  ['no scope', { scopes: [] }, 422],
  ['a scope that there is not', { scopes: ['root'] }, 422],
  ['an expiry that is over', { expires_at: '2020-01-01T00:00:00Z' }, 422],
])('a key is not made with %s', async (_, wrong, status) => {
  const answer = await post(gateway, '/api/v2/keys', { name: 'x', scopes: ['read'], ...wrong }, admin);
  expect(answer.status).toBe(status);
  expect(gateway.rpc.requests(createApiKey)).toEqual([]);
});

test('records and the log have the caller, and the address that a trusted proxy names', async () => {
  const behind = await startTestGateway({ AUTH: 'on', TRUSTED_PROXIES: 'loopback' });
  try {
    keys.serve(behind);
    behind.rpc.on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }));
    const body = { ...MINE, episodic_ids: ['m-1'] };
    const headers = { ...admin, 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    await post(behind, '/api/v2/memories/episodic/delete', body, headers);
    const [record] = behind.rpc.requests(recordAudit).flatMap((batch) => batch.records);
    expect(record).toMatchObject({ clientAddress: '203.0.113.9', actor: ID, actorOrgId: 'acme' });
    expect(behind.logger.lines.find(({ message }) => message === 'request')).toMatchObject({
      fields: { client_address: '203.0.113.9', actor_kind: 'api-key', actor: ID, actor_org_id: 'acme' },
    });
  } finally {
    await behind.app.close();
  }
});

test('a record names every id of a delete, and says how many there were', async () => {
  gateway.rpc.on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }));
  const ids = Array.from({ length: 1_000 }, (_, index) => `m-${index}`);
  await post(gateway, '/api/v2/memories/episodic/delete', { ...MINE, episodic_ids: ids }, admin);
  expect(await records(1)).toMatchObject([{ resources: ids, resourceCount: 1_000 }]);
});
