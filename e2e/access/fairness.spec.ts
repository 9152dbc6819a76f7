import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { keyedClient } from './keyed-client.js';
import { product } from './product.js';

/** Of each kind, at the same time, for as long as the other organization searches. */
const FLOODERS = { batches: 10, searches: 60, halves: 300 };
const BATCH_LENGTH = 32;
const SEARCHES_OF_OTHER = 8;

/** More than a gateway works on at once, more than may wait for a turn in it, and fewer than an address may open. */
const HALF_SENT = 1_005;

/** Begins a request, and sends a byte of its body. */
function sendHalf(url: string, authorization: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const head = ['POST /api/v2/memories HTTP/1.1', 'host: localhost', 'content-type: application/json'];
  socket.write(
    `${[...head, `authorization: ${authorization}`, 'content-length: 9999'].join('\r\n')}\r\n\r\n{`,
  );
  return socket;
}

/** How many bodies are on their way. */
async function uploads(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^http_uploads_open\S* (\d+)$/m.exec(text)?.[1]);
}

test('bodies that do not come take no turn of anyone, of their own key neither', async () => {
  const loci = await product();
  const [slow, other] = await Promise.all(['slow', 'prompt'].map((org) => keyedClient(loci, org)));
  if (!slow || !other) throw new Error('There are two.');
  for (const { client } of [slow, other]) await client.add(['The tea is without sugar.']);
  const sockets = Array.from({ length: HALF_SENT }, () => sendHalf(loci.url, slow.authorization));
  try {
    await eventually(async () => (await uploads(loci.url)) === HALF_SENT, { what: 'all bodies have begun' });
    for (const { client } of [other, slow, other, slow]) {
      expect((await client.post('/memories/search', { query: 'tea' })).status).toBe(200);
      expect((await client.post('/memories', { messages: [{ content: 'More tea.' }] })).status).toBe(200);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test('whatever one organization floods the gateway with, the searches of another are answered', async () => {
  const loci = await product();
  const [one, two, other] = await Promise.all(
    ['flood', 'flood', 'calm'].map((org) => keyedClient(loci, org)),
  );
  if (!one || !two || !other) throw new Error('There are three.');
  for (const { client } of [one, other]) await client.add(['The tea is without sugar.']);
  let isOver = false;
  let operations = 0;
  const statuses = new Set<number>();
  const sockets: Socket[] = [];
  const again = async (send: () => Promise<number>): Promise<void> => {
    while (!isOver) {
      statuses.add(await send());
      operations += 1;
    }
  };
  const batch = async (): Promise<number> => {
    const calls = Array.from({ length: BATCH_LENGTH }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'search_memory', arguments: { query: 'tea', org_id: 'flood', proj_id: 'main' } },
    }));
    const response = await fetch(`${loci.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: one.authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(calls),
    });
    await response.text();
    return response.status;
  };
  const search = async (): Promise<number> =>
    (await two.client.post('/memories/search', { query: 'tea' })).status;
  for (let count = 0; count < FLOODERS.halves; count += 1) {
    sockets.push(sendHalf(loci.url, one.authorization));
  }
  const floods = [
    ...Array.from({ length: FLOODERS.batches }, () => again(batch)),
    ...Array.from({ length: FLOODERS.searches }, () => again(search)),
  ];
  try {
    await eventually(() => operations > FLOODERS.searches, { what: 'the flood has come' });
    const answers: number[] = [];
    for (let count = 0; count < SEARCHES_OF_OTHER; count += 1) {
      answers.push((await other.client.post('/memories/search', { query: 'tea' })).status);
    }
    expect(answers).toEqual(answers.map(() => 200));
  } finally {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    await Promise.allSettled(floods);
  }
  expect([...statuses].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
});

test('a batch of more operations than allowed is refused as a whole', async () => {
  const loci = await product();
  const { authorization } = await keyedClient(loci, 'flood');
  const response = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
  });
  expect(response.status).toBe(422);
  expect(await response.text()).toContain('too_long');
});
