import { afterEach, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { type Bench, bench, isAlive, Leftovers } from '../../test/fixtures.js';
import { freePort } from '../free-ports.js';
import { answersOk } from './http-ready.js';
import { nodeService, type NodeServiceOptions } from './node-service.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

const SERVER = `
  const server = require('http').createServer((request, response) => {
    response.writeHead(request.url === '/health/ready' ? 200 : 404);
    response.end(JSON.stringify({ greeting: process.env.GREETING, ipc: process.connected }));
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => { console.log('draining'); process.exit(0); });
`;

async function start(it: Bench, options: Partial<NodeServiceOptions> = {}): Promise<number> {
  const main = join(it.folder.path, 'run', 'main.cjs');
  await writeFile(main, SERVER);
  const port = await freePort();
  await it.supervisor.start([
    await nodeService({
      name: 'service',
      main,
      env: { PORT: String(port), GREETING: 'hello' },
      ports: { http: port },
      readyUrl: `http://127.0.0.1:${port}/health/ready`,
      ...options,
    }),
  ]);
  return port;
}

test('a service is ready when it says so over HTTP, and has its settings and an IPC channel', async () => {
  const it = await bench(leftovers);
  const port = await start(it);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  expect(await answer.json()).toEqual({ greeting: 'hello', ipc: true });
});

test('a service is asked to finish before it is stopped', async () => {
  const it = await bench(leftovers);
  await start(it);
  await it.supervisor.stop();
  expect(readFileSync(join(it.folder.part('logs'), 'service.log'), 'utf8')).toContain('draining');
});

test('a service that hangs is ended and brought back, on the same port', async () => {
  const it = await bench(leftovers);
  const hangLimits = { everyMs: 20, answerWithinMs: 3_000, times: 2 };
  const port = await start(it, { hangLimits, stopTimeoutMs: 100 });
  const pid = it.pidOf('service');
  process.kill(pid, 'SIGSTOP');
  await it.restarted('service');
  expect(it.events.map(({ kind }) => kind)).toEqual([
    'started',
    'ready',
    'stuck',
    'died',
    'started',
    'restarted',
  ]);
  expect(isAlive(pid)).toBe(false);
  expect(await answersOk(`http://127.0.0.1:${port}/health/ready`)).toBe(true);
});

test('a nice service yields with every thread that it has', async () => {
  const it = await bench(leftovers);
  await start(it, { niceness: 10 });
  const tasks = `/proc/${it.pidOf('service')}/task`;
  const niceness = readdirSync(tasks).map((thread) => {
    const stat = readFileSync(join(tasks, thread, 'stat'), 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16];
  });
  expect(niceness.length).toBeGreaterThan(1);
  expect(new Set(niceness)).toEqual(new Set([String(Math.min(19, getPriority() + 10))]));
  const session = `/proc/${it.pidOf('service')}/autogroup`;
  if (existsSync(session)) expect(readFileSync(session, 'utf8')).toContain('nice 10');
});
