import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { SecondProcess } from '../harness/second-process.js';
import { keyedClient } from './keyed-client.js';
import { product } from './product.js';

/** Of the heap of the gateway: what forty of these bodies take while they are worked on is four times as much. */
const HEAP_MEBIBYTES = 256;
const ADDS = 40;
const CONTENT = 'x'.repeat(200_000);
const MESSAGES = 20;

const MEBIBYTE = 1024 * 1024;
/** Half of the heap, as without the setting. */
const BUDGET_MEBIBYTES = HEAP_MEBIBYTES / 2;
/** Of one key: 40 % of what is for requests at work. */
const SHARE_BYTES = BUDGET_MEBIBYTES * MEBIBYTE * 0.75 * 0.4;

/** Of a list of the batch: not so many that it might be refused by itself. */
const LISTED = Array.from({ length: 12 }, () => 'x'.repeat(20_000));
const CALLS = 32;

/** For a machine that has other things to do. */
const TIMEOUT_MS = 120_000;

/** Fewer than make a connection a flood, and together more than the buffers of two kernels. */
const DOCUMENTS = 15;

let gateway: SecondProcess;
let impatient: SecondProcess;

beforeAll(async () => {
  const loci = await product();
  [gateway, impatient] = await Promise.all([
    SecondProcess.start(loci, 'gateway', {
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MEBIBYTES}`,
      MEMORY_BUDGET_BYTES: String(BUDGET_MEBIBYTES * MEBIBYTE),
    }),
    SecondProcess.start(loci, 'gateway', { RECEIVE_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '500' }),
  ]);
});

afterAll(() => Promise.all([gateway.stop(), impatient.stop()]));

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
  // 408 and 504: a machine that is busy with something else, where a body or an answer takes too long
  expect(statuses.filter((status) => ![200, 408, 429, 503, 504].includes(status))).toEqual([]);
  expect(statuses).toContain(200);
  for (const { status, headers } of answers) {
    if (status === 429 || status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await clients[0]?.client.post('/memories', { messages: [{ content: 'small' }] }))?.status).toBe(
    200,
  );
});

const metricsOf = async ({ url }: SecondProcess): Promise<string> => (await fetch(`${url}/metrics`)).text();

const handlingBytes = async (): Promise<number> =>
  Number(/^http_handling_bytes\S* (\S+)$/m.exec(await metricsOf(gateway))?.[1]);

test('a batch of small answers that exceed the share of its key together is cut off, and keeps what is done', async () => {
  const { client, authorization } = await keyedClient(await product(), 'batches', gateway.url);
  await client.add(LISTED);
  const list = { name: 'list_memories', arguments: { kind: 'episodic' } };
  const calls = Array.from({ length: CALLS }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: list,
  }));
  const headers = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'org-id': 'batches',
    'proj-id': 'main',
  };
  const answered = new AbortController();
  const asked = fetch(`${gateway.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(calls) }).finally(
    () => answered.abort(),
  );
  const counted: number[] = [];
  while (!answered.signal.aborted) counted.push(await handlingBytes());
  const answers = (await (await asked).json()) as {
    result: { isError?: boolean; content: [{ text: string }] };
  }[];
  const texts = answers.map(({ result }) => result.content[0].text);
  const done = answers.filter(({ result }) => !result.isError).length;
  expect(done).toBeGreaterThan(8);
  expect(done).toBeLessThan(CALLS);
  for (const text of texts.slice(0, done)) expect(text.length).toBeGreaterThan(200_000);
  for (const text of texts.slice(done)) {
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'overloaded' });
  }
  expect(Math.max(...counted)).toBeLessThanOrEqual(SHARE_BYTES);
  await eventually(async () => (await handlingBytes()) === 0, { what: 'all of it is given back' });
});

test('a stranger who reads a byte at a time is hung up on', async () => {
  const { hostname, port } = new URL(impatient.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET /openapi.json HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(DOCUMENTS));
  await eventually(() => socket.readableLength > 0, { what: 'the first bytes are there' });
  await eventually(
    () => {
      socket.read(1);
      // without which the connection would count as idle
      socket.write('\r\n');
      return socket.destroyed;
    },
    { what: 'it is hung up on' },
  );
  expect(await metricsOf(impatient)).toMatch(/^http_slow_readers_total\S* 1$/m);
});
