import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { searchEpisodes, searchFeatures, unavailable } from '@loci/contracts';
import { type Progress } from '@modelcontextprotocol/sdk/types.js';
import { McpClients } from '../../test/mcp-clients.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const FOUND = { enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] };
const QUERY = { name: 'search_memory', arguments: { query: 'x' } };

let gateway: TestGateway;
let clients: McpClients;

beforeAll(async () => {
  gateway = await startTestGateway();
  clients = await McpClients.of(gateway);
});

afterEach(async () => {
  await clients.close();
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

const answering = (episodes: () => Promise<typeof FOUND>) =>
  gateway.rpc.on(searchEpisodes, episodes).on(searchFeatures, () => ({ features: [], degraded: [] }));

/** One call with a progress token, as the client of the SDK makes it, and what a client reads meanwhile. */
const raw = (progressToken: string) =>
  gateway.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...QUERY, _meta: { progressToken } } },
  });

test('a call that asked for progress is told each second that it is at work, until its answer', async () => {
  const told: Progress[] = [];
  let answer: (() => void) | undefined;
  answering(() => new Promise((resolve) => (answer = () => resolve(FOUND))));
  const onprogress = (progress: Progress): void => {
    told.push(progress);
    answer?.();
  };
  // the answer comes with the first progress: without, the call ends when its time is over
  const waits = { onprogress, timeout: 30_000, resetTimeoutOnProgress: true };
  const result = await (await clients.connect()).callTool(QUERY, undefined, waits);
  expect(result).toMatchObject({ structuredContent: { result: { status: 0 } } });
  expect(told[0]).toEqual({ progress: 1, message: expect.stringMatching(/at work for [1-9]\d* s/) });
});

test('a call that is answered within a second is told nothing but its answer', async () => {
  answering(() => Promise.resolve(FOUND));
  const { headers, body } = await raw('soon');
  expect(headers['content-type']).toContain('text/event-stream');
  expect(headers['x-request-id']).toEqual(expect.any(String));
  expect(body.match(/^data: /gm)).toHaveLength(1);
});

test('a call that fails says so in the stream', async () => {
  answering(() => Promise.reject(unavailable('service_unavailable', 'The service does not answer.')));
  expect((await raw('fails')).body).toContain('"isError":true');
});

test('without a token, and with one too long to be sent back each second, the answer is JSON', async () => {
  answering(() => Promise.resolve(FOUND));
  expect((await raw('x'.repeat(257))).headers['content-type']).toContain('application/json');
  const accept = { accept: 'application/json, text/event-stream' };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: QUERY };
  expect((await post(gateway, '/mcp', call, accept)).body).toMatchObject({ id: 1 });
});
