import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type AccessBounds,
  type AccessScope,
  addEpisodes,
  newApiKeySecret,
  recordAudit,
  removeEpisodes,
  searchEpisodes,
  searchFeatures,
} from '@loci/contracts';
import { eventually } from '@loci/testing';
import { notedRecords } from '../../test/noted-records.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ACME: AccessBounds = { orgId: 'acme', projectId: 'apollo' };

let gateway: TestGateway;
let keys: TestKeys;

beforeAll(async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
});

beforeEach(() => {
  keys = new TestKeys();
  keys.serve(gateway);
  gateway.rpc
    .on(addEpisodes, () => ({ uids: ['u-1'] }))
    .on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }))
    .on(searchFeatures, () => ({ features: [], degraded: [] }))
    .on(searchEpisodes, () => ({ enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] }));
});

afterEach(() => gateway.rpc.reset());

afterAll(() => gateway.app.close());

const keyOf = (scopes: readonly AccessScope[], bounds: AccessBounds = ACME) =>
  bearer(keys.add({ scopes, bounds }));

async function callTool(
  name: string,
  given: object,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; result: unknown }> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const accept = 'application/json, text/event-stream';
  const answer = await post(gateway, '/mcp', message, { accept, ...headers });
  return { status: answer.status, result: (answer.body as { result?: unknown }).result };
}

const refused = (payload: { status: number; code: string }): object => ({
  status: 200,
  result: {
    isError: true,
    content: [{ text: expect.stringContaining(JSON.stringify(payload).slice(0, -1)) }],
  },
});
const DONE = { status: 200, result: { structuredContent: { status: 200 } } };

describe('401 before any tool is called', () => {
  test.each([
    ['no key', () => ({})],
    ['an unknown key', () => bearer(newApiKeySecret())],
  ])('%s', async (_, headersOf) => {
    expect((await callTool('add_memory', { content: 'x' }, headersOf())).status).toBe(401);
    expect(gateway.rpc.requests(addEpisodes)).toEqual([]);
  });
});

describe('what a key does not allow is a failure of the tool', () => {
  test.each([
    ['add_memory', { content: 'x' }],
    ['delete_memory', { episodic_memory_uids: ['m'] }],
  ])('%s needs the scope write', async (name, given) => {
    const headers = keyOf(['read']);
    expect(await callTool(name, given, headers)).toMatchObject(refused({ status: 403, code: 'forbidden' }));
    expect(await callTool(name, given, keyOf(['read', 'write']))).toMatchObject(DONE);
  });

  test.each([
    ['add_memory', { content: 'x' }],
    ['search_memory', { query: 'x' }],
    ['get_context', { query: 'x' }],
    ['delete_memory', { episodic_memory_uids: ['m'] }],
  ])('%s: a foreign project does not exist', async (name, given) => {
    const notThere = refused({ status: 404, code: 'project_not_found' });
    const headers = keyOf(['admin']);
    const foreign = { 'org-id': 'globex', 'proj-id': 'apollo' };
    expect(await callTool(name, given, { ...headers, ...foreign })).toMatchObject(notThere);
    expect(await callTool(name, { ...given, org_id: 'globex' }, headers)).toMatchObject(notThere);
    expect(await callTool(name, { ...given, proj_id: 'zeus' }, headers)).toMatchObject(notThere);
    expect(gateway.rpc.requests(addEpisodes)).toEqual([]);
    expect(gateway.rpc.requests(searchEpisodes)).toEqual([]);
    expect(gateway.rpc.requests(searchFeatures)).toEqual([]);
    expect(gateway.rpc.requests(removeEpisodes)).toEqual([]);
  });
});

test('a client that names no project acts in the one that its key is bound to', async () => {
  expect(await callTool('add_memory', { content: 'x' }, keyOf(['read', 'write']))).toMatchObject(DONE);
  expect(gateway.rpc.requests(addEpisodes)).toMatchObject([{ tenant: ACME }]);
});

test('tools that write are in the audit, by their names and ids, without text', async () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8099';
  const headers = bearer(keys.add({ scopes: ['read', 'write'], bounds: { orgId: 'acme' }, id }));
  const ended = () =>
    [
      ...gateway.rpc.requests(recordAudit).flatMap(({ records }) => records),
      ...notedRecords(gateway.events),
    ].filter(({ actor, status }) => actor === id && status !== undefined);
  await callTool('search_memory', { query: 'my secret' }, headers);
  await callTool('add_memory', { content: 'my secret', proj_id: 'zeus' }, headers);
  await callTool('delete_memory', { episodic_memory_uids: ['m-1'], proj_id: 'zeus' }, headers);
  await eventually(() => ended().length >= 2, { what: 'both writes are noted' });
  expect(ended()).toMatchObject([
    { operation: 'tool delete_memory', orgId: 'acme', projectId: 'zeus', resources: ['m-1'] },
    { operation: 'tool add_memory', orgId: 'acme', projectId: 'zeus', resources: ['u-1'] },
  ]);
  expect(JSON.stringify(ended())).not.toContain('secret');
});
