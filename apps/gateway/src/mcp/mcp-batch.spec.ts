import { afterEach, expect, test } from '@jest/globals';
import { listProjects, searchEpisodes, searchFeatures } from '@loci/contracts';
import { eventually } from '@loci/testing';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ACCEPT = { accept: 'application/json, text/event-stream' };
const FOUND = { enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] };

let gateway: TestGateway;
let keys: TestKeys;
/** Searches that the service has not answered yet. */
let searching: (() => void)[];

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  gateway = await startTestGateway({ AUTH: 'on', ...settings });
  keys = new TestKeys();
  searching = [];
  keys.serve(gateway);
  gateway.rpc
    .on(searchEpisodes, () => new Promise((resolve) => searching.push(() => resolve(FOUND))))
    .on(searchFeatures, () => ({ features: [], degraded: [] }))
    .on(listProjects, () => ({ projects: [] }));
}

afterEach(() => gateway.app.close());

const key = (orgId: string, id: string) =>
  bearer(keys.add({ id: `01890a5d-ac96-774b-bcce-00000000000${id}`, scopes: ['admin'], bounds: { orgId } }));

const batch = (length: number): object[] =>
  Array.from({ length }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'search_memory', arguments: { query: 'x' } },
  }));

const answerOne = async (): Promise<void> => {
  await eventually(() => searching.length > 0, { what: 'a search reaches the service' });
  searching.shift()?.();
};

const oneWaits = (): Promise<boolean> =>
  eventually(
    async () => /^http_requests_waiting\{.*\} 1$/m.test((await gateway.app.inject('/metrics')).body),
    { what: 'another request waits' },
  );

test('the operations of a batch run one after the other, and others have their turn in between', async () => {
  await start({ MAX_IN_FLIGHT: '1' });
  const flood = post(gateway, '/mcp', batch(3), { ...key('x', '1'), ...ACCEPT });
  await eventually(() => searching.length === 1, { what: 'the first search reaches the service' });
  let isAnswered = false;
  const other = post(gateway, '/api/v2/projects/list', undefined, key('y', '2')).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await oneWaits();
  expect(searching).toHaveLength(1);
  await answerOne();
  await eventually(() => isAnswered, { what: 'the other was served before the batch was done' });
  expect((await other).status).toBe(200);
  await answerOne();
  await answerOne();
  const answer = await flood;
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveLength(3);
});

test('each operation of a batch counts as a request of the key', async () => {
  await start({ RATE_LIMIT_PER_MINUTE: '5' });
  const mine = key('x', '1');
  const list = () => post(gateway, '/api/v2/projects/list', undefined, mine);
  expect((await list()).status).toBe(200);
  const refused = await post(gateway, '/mcp', batch(5), { ...mine, ...ACCEPT });
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(gateway.rpc.requests(searchEpisodes)).toEqual([]);
  expect((await list()).status).toBe(429);
});

test('a batch has so many operations at most', async () => {
  await start({ MAX_BATCH_LENGTH: '2' });
  const answer = await post(gateway, '/mcp', batch(3), { ...key('x', '1'), ...ACCEPT });
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'], type: 'too_long' }] } });
  expect(gateway.rpc.requests(searchEpisodes)).toEqual([]);
});

test.each([
  ['nothing', [], { loc: ['body'], type: 'too_short' }],
  [
    'two requests of one id, of which one would go unanswered',
    [...batch(2), ...batch(1)],
    { loc: ['body', 2, 'id'], type: 'value_error' },
  ],
])('422: a batch of %s', async (_, messages, problem) => {
  await start({});
  const answer = await post(gateway, '/mcp', messages, { ...key('x', '1'), ...ACCEPT });
  expect(answer).toMatchObject({ status: 422, body: { detail: [problem] } });
  expect(gateway.rpc.requests(searchEpisodes)).toEqual([]);
});

test('a call that tells its progress keeps its turn until it is done, though its answer has begun', async () => {
  await start({ MAX_IN_FLIGHT: '1' });
  const [call] = batch(1) as [{ readonly params: object }];
  const streamed = { ...call, params: { ...call.params, _meta: { progressToken: 1 } } };
  const headers = { ...key('x', '1'), ...ACCEPT };
  const stream = gateway.app.inject({ method: 'POST', url: '/mcp', headers, payload: streamed });
  await eventually(() => searching.length === 1, { what: 'the search reaches the service' });
  const other = post(gateway, '/api/v2/projects/list', undefined, key('y', '2'));
  await oneWaits();
  await answerOne();
  expect((await other).status).toBe(200);
  expect((await stream).body).toContain('"status\\":0');
});

test('a call that its own batch cancels is answered', async () => {
  await start({});
  const cancels = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } };
  const answer = post(gateway, '/mcp', [...batch(1), cancels], { ...key('x', '1'), ...ACCEPT });
  await answerOne();
  expect(await answer).toMatchObject({ status: 200, body: { id: 0 } });
});
