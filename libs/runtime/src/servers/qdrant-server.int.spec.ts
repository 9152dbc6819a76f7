import { afterEach, expect, test } from '@jest/globals';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, bench, isAlive, Leftovers } from '../../test/fixtures.js';
import { freePort } from '../free-ports.js';
import { qdrantServer, qdrantUrl } from './qdrant-server.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

let apiKey: string;

async function start(it: Bench): Promise<string> {
  const port = await freePort();
  await it.supervisor.start([await qdrantServer({ ...it, port, durability: 'durable' })]);
  apiKey = it.credentials.qdrant;
  return qdrantUrl(port);
}

async function call(url: string, method: string, body?: object): Promise<{ result: unknown }> {
  const response = await fetch(url, {
    method,
    headers: { connection: 'close', 'content-type': 'application/json', 'api-key': apiKey },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { result: unknown };
}

test('points survive SIGKILL, on the same port', async () => {
  const it = await bench(leftovers);
  const url = await start(it);
  await call(`${url}/collections/kept`, 'PUT', { vectors: { size: 2, distance: 'Cosine' } });
  const points = Array.from({ length: 50 }, (_, id) => ({ id, vector: [id, 1] }));
  await call(`${url}/collections/kept/points?wait=true`, 'PUT', { points });
  process.kill(it.pidOf('qdrant'), 'SIGKILL');
  await it.restarted('qdrant');
  const counted = await call(`${url}/collections/kept/points/count`, 'POST', { exact: true });
  expect(counted.result).toEqual({ count: 50 });
});

test('a stop leaves no process, and is over soon after its four seconds with a connection kept alive', async () => {
  const it = await bench(leftovers);
  const url = await start(it);
  await (await fetch(`${url}/collections`, { headers: { 'api-key': apiKey } })).text();
  const pid = it.pidOf('qdrant');
  const begunAt = Date.now();
  await it.supervisor.stop();
  expect(Date.now() - begunAt).toBeLessThan(15_000);
  expect(isAlive(pid)).toBe(false);
});

test('no page from elsewhere may read it through a browser', async () => {
  const it = await bench(leftovers);
  const url = await start(it);
  const answer = await fetch(`${url}/collections`, {
    headers: { origin: 'https://example.com', connection: 'close', 'api-key': apiKey },
  });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('a client without the API key is refused', async () => {
  const it = await bench(leftovers);
  const url = await start(it);
  for (const headers of [{}, { 'api-key': 'guess' }]) {
    const answer = await fetch(`${url}/collections`, { headers: { connection: 'close', ...headers } });
    expect(answer.status).toBe(401);
  }
  expect((await stat(join(it.folder.part('qdrant'), 'qdrant.yaml'))).mode & 0o777).toBe(0o600);
});
