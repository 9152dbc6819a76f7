import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  addEpisodes,
  type IdempotencyToken,
  listFeatures,
  settleConflict,
  updateFeature,
} from '@loci/contracts';
import { FEATURE } from '../../test/memories.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

const ACCEPT = { accept: 'application/json, text/event-stream' };
const KEYED = { ...ACCEPT, 'idempotency-key': 'k', 'user-id': 'alice' };

const adding = (id: number | string, given: object = { content: 'x' }, name = 'add_memory'): object => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: given },
});

/** What the service was told of each add. */
async function tokens(body: object, headers: Record<string, string> = KEYED): Promise<IdempotencyToken[]> {
  gateway.rpc.reset();
  gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] }));
  expect((await post(gateway, '/mcp', body, headers)).status).toBe(200);
  return gateway.rpc.requests(addEpisodes).flatMap(({ idempotency }) => idempotency ?? []);
}

test('a call that is repeated with its key is the same request, whatever its id', async () => {
  const [first] = await tokens(adding(1));
  expect(first).toEqual({ key: 'k', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await tokens(adding(2))).toEqual([first]);
  expect(await tokens(adding(1), ACCEPT)).toEqual([]);
});

test.each([
  ['other arguments', adding(1, { content: 'y' }), KEYED],
  ['another user', adding(1), { ...KEYED, 'user-id': 'bob' }],
])('the same key with %s is another request', async (_, body, headers) => {
  const [first] = await tokens(adding(1));
  const [other] = await tokens(body, headers);
  expect(other?.key).toBe('k');
  expect(other?.fingerprint).not.toBe(first?.fingerprint);
});

test('each request of a batch has a key of its own, which is the same when the batch is repeated', async () => {
  const batch = [adding(1), adding('1'), adding(2)];
  const first = await tokens(batch);
  expect(new Set(first.map(({ key }) => key)).size).toBe(3);
  expect(await tokens(batch)).toEqual(first);
});

test('corrections and settlements are repeatable, too', async () => {
  gateway.rpc
    .on(listFeatures, () => ({ features: [FEATURE] }))
    .on(updateFeature, () => ({}))
    .on(settleConflict, () => ({}));
  const named = { semantic_memory_uid: 'f-1' };
  await post(gateway, '/mcp', adding(1, { ...named, value: 'aisle' }, 'correct_memory'), KEYED);
  await post(gateway, '/mcp', adding(1, named, 'settle_conflict'), KEYED);
  const idempotency = expect.objectContaining({ key: 'k' });
  expect(gateway.rpc.requests(updateFeature)).toMatchObject([{ value: 'aisle', idempotency }]);
  expect(gateway.rpc.requests(settleConflict)).toMatchObject([{ featureId: 'f-1', idempotency }]);
});

test('422: a key that is none', async () => {
  const answer = await post(gateway, '/mcp', adding(1), { ...KEYED, 'idempotency-key': 'ä' });
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['header', 'idempotency-key'] }] } });
});
