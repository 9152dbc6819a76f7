import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  exportEpisodes,
  exportSemantic,
  getEpisodicSettings,
  getProject,
  listEpisodes,
} from '@loci/contracts';
import { eventually } from '@loci/testing';
import { EPISODE } from '../../test/memories.js';
import { PROJECT, SETTINGS } from '../../test/projects.js';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const MEBIBYTE = 1024 * 1024;

/** More than the kernel takes of an answer that no client reads. */
const PAGES = 40;
const CONTENT = 'x'.repeat(MEBIBYTE);

let gateway: TestGateway;
let socket: Socket;
let received: number;

beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { hostname, port } = new URL(await gateway.app.getUrl());
  received = 0;
  socket = connect(Number(port), hostname);
  socket.on('data', (chunk) => (received += chunk.length)).pause();
});

afterEach(async () => {
  socket.destroy();
  await gateway.app.close();
});

const request = (line: string, body = ''): string =>
  [
    `${line} HTTP/1.1`,
    'host: localhost',
    'accept: application/json, text/event-stream',
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');

/** Of one moment. */
async function gauges(): Promise<{ readonly inFlight: number; readonly handling: number }> {
  const lines = (await gateway.app.inject('/metrics')).body.split('\n');
  const valueOf = (name: string): number =>
    Number(
      lines
        .find((one) => one.startsWith(`${name}{`))
        ?.split(' ')
        .at(-1),
    );
  return { inFlight: valueOf('http_requests_in_flight'), handling: valueOf('http_handling_bytes') };
}

const handlingBytes = async () => (await gauges()).handling;

const isDone = () => eventually(async () => (await gauges()).inFlight === 0, { what: 'the work is done' });

/** A call of a tool that tells its progress. */
const listing = (id: number): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'list_memories', arguments: { kind: 'episodic' }, _meta: { progressToken: id } },
});

test('results of tools count until the client has taken them, where progress is told', async () => {
  const large = Array.from({ length: 10 }, () => ({ ...EPISODE, content: CONTENT }));
  const unanswered: (() => void)[] = [];
  gateway.rpc.on(listEpisodes, () =>
    unanswered.length === 0 && gateway.rpc.requests(listEpisodes).length === 1
      ? { episodes: large }
      : new Promise((resolve) => unanswered.push(() => resolve({ episodes: [] }))),
  );
  socket.write(request('POST /mcp', JSON.stringify([listing(1), listing(2)])));
  await eventually(() => unanswered.length === 1, { what: 'the second call is at work' });
  await eventually(async () => (await handlingBytes()) > 20 * MEBIBYTE, { what: 'the first result counts' });
  socket.resume();
  // beside what is set aside for the second
  await eventually(async () => (await handlingBytes()) < 3 * MEBIBYTE, { what: 'the client has taken it' });
  expect((await gauges()).inFlight).toBe(1);
  unanswered[0]?.();
  await isDone();
  await eventually(async () => (await handlingBytes()) === 0, { what: 'the answer is out' });
});

test('a result of a tool is given back when its client is gone', async () => {
  const episodes = Array.from({ length: 10 }, () => ({ ...EPISODE, content: CONTENT }));
  gateway.rpc.on(listEpisodes, () => ({ episodes }));
  socket.write(request('POST /mcp', JSON.stringify(listing(1))));
  await eventually(async () => (await handlingBytes()) > 20 * MEBIBYTE, { what: 'the result counts' });
  await isDone();
  expect(await handlingBytes()).toBeGreaterThan(20 * MEBIBYTE);
  socket.destroy();
  await eventually(async () => (await handlingBytes()) === 0, { what: 'it is given back' });
});

test('a page of an export counts until the client has taken it, and holds no turn', async () => {
  let pages = 0;
  const nothing = { setTypes: [], templates: [], sets: [], categories: [], features: [] };
  gateway.rpc
    .on(getProject, () => PROJECT)
    .on(getEpisodicSettings, () => SETTINGS)
    .on(exportSemantic, () => ({ parts: nothing, positions: [] }))
    .on(exportEpisodes, () => {
      pages += 1;
      return { episodes: pages > PAGES ? [] : [{ ...EPISODE, content: CONTENT, types: [] }] };
    });
  socket.write(request('GET /api/v2/projects/export?org_id=o&project_id=p'));
  await eventually(
    async () => {
      const { inFlight, handling } = await gauges();
      return inFlight === 0 && handling > 2 * MEBIBYTE && handling < 3 * MEBIBYTE;
    },
    { what: 'a page waits for the client, without a turn' },
  );
  expect(pages).toBeLessThan(PAGES);
  socket.resume();
  await eventually(() => received > PAGES * MEBIBYTE, { what: 'the client has all of it' });
  await eventually(async () => (await handlingBytes()) === 0, { what: 'it is given back' });
});
