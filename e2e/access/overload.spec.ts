import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SecondProcess } from '../harness/second-process.js';
import { keyedClient } from './keyed-client.js';
import { product } from './product.js';

/** Of the heap of the gateway: what forty of these bodies take while they are worked on is four times as much. */
const HEAP_MEBIBYTES = 256;
const ADDS = 40;
const CONTENT = 'x'.repeat(200_000);
const MESSAGES = 20;

/** For a machine that has other things to do. */
const TIMEOUT_MS = 120_000;

let gateway: SecondProcess;

beforeAll(async () => {
  gateway = await SecondProcess.start(await product(), 'gateway', {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MEBIBYTES}`,
  });
});

afterAll(() => gateway.stop());

test('a gateway with little memory survives many large adds at once, and answers each', async () => {
  const loci = await product();
  const clients = await Promise.all(['large-1', 'large-2'].map((org) => keyedClient(loci, org, gateway.url)));
  const add = (index: number): Promise<Response> => {
    const { client, authorization } = clients[index % clients.length] ?? {};
    const messages = Array.from({ length: MESSAGES }, () => ({ content: CONTENT }));
    return fetch(`${gateway.url}/api/v2/memories`, {
      method: 'POST',
      headers: { authorization: authorization ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ ...client?.project, messages, types: ['episodic'] }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  };
  const answers = await Promise.all(Array.from({ length: ADDS }, (_, index) => add(index)));
  const statuses = answers.map(({ status }) => status);
  // 504: a machine that is busy with something else
  expect(statuses.filter((status) => ![200, 429, 503, 504].includes(status))).toEqual([]);
  expect(statuses).toContain(200);
  for (const { status, headers } of answers) {
    if (status === 429 || status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await clients[0]?.client.post('/memories', { messages: [{ content: 'small' }] }))?.status).toBe(
    200,
  );
});
