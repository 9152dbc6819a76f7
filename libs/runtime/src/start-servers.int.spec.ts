import { afterEach, expect, test } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { isAlive, Leftovers, processesNaming } from '../test/fixtures.js';
import { type Servers, startServers, type StartServersOptions } from './start-servers.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

async function start(options: Partial<StartServersOptions> = {}): Promise<Servers> {
  const dataDir = options.dataDir ?? (await leftovers.folder());
  const servers = await startServers({ durability: 'fast-for-tests', ...options, dataDir });
  leftovers.add(() => servers.stop());
  return servers;
}

async function askAll({ natsUrl, databaseUrl, qdrantUrl, qdrantApiKey = '' }: Servers): Promise<void> {
  const { host, username: user, password: pass } = new URL(natsUrl);
  const nats = await connect({ servers: host, user, pass });
  await nats.flush();
  await nats.close();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
  const answer = await fetch(`${qdrantUrl}/collections`, {
    headers: { connection: 'close', 'api-key': qdrantApiKey },
  });
  expect(answer.status).toBe(200);
}

test('two sets of servers run side by side, and stop without leaving a process or a lock', async () => {
  const sets = await Promise.all([start(), start()]);
  await Promise.all(sets.map(askAll));
  const pids = sets.flatMap(({ processes }) => Object.values(processes).map(({ pid }) => pid));
  expect(new Set(pids).size).toBe(6);
  await Promise.all(sets.map((servers) => servers.stop()));
  expect(pids.filter(isAlive)).toEqual([]);
  for (const { folder } of sets) expect(await readdir(folder.part('run'))).toEqual(['processes.json']);
});

test('a server that runs elsewhere is used and not started', async () => {
  const servers = await start({ only: ['nats', 'qdrant'], urls: { nats: 'nats://elsewhere:4222' } });
  expect(servers.natsUrl).toBe('nats://elsewhere:4222');
  expect(Object.keys(servers.processes)).toEqual(['qdrant']);
  expect(() => servers.databaseUrl).toThrow(/postgres was not asked for/);
});

test('a fixed port is used; one in use fails the start with a sentence and frees the folder', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  leftovers.add(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const dataDir = await leftovers.folder();
  const options = { dataDir, ports: { nats: port } };
  await expect(start(options)).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining('NATS_PORT'),
  });
  expect(await processesNaming(dataDir)).toEqual([]);
  other.close();
  await once(other, 'close');
  expect(new URL((await start(options)).natsUrl).host).toBe(`127.0.0.1:${port}`);
});

test('a second set on the same folder is refused and leaves the first alone', async () => {
  const first = await start();
  await expect(start({ dataDir: first.folder.path })).rejects.toMatchObject({ code: 'folder_locked' });
  await askAll(first);
});

test('a start that is called off leaves no process and no lock, and the folder works later', async () => {
  const dataDir = join(await leftovers.folder(), 'data');
  const controller = new AbortController();
  const pids: number[] = [];
  const called = start({
    dataDir,
    signal: controller.signal,
    onEvent: (event) => {
      if (event.kind !== 'started') return;
      pids.push(event.pid);
      controller.abort(new Error('called off'));
    },
  });
  await expect(called).rejects.toThrow('called off');
  expect(pids.length).toBeGreaterThan(0);
  expect(pids.filter(isAlive)).toEqual([]);
  await askAll(await start({ dataDir }));
});
