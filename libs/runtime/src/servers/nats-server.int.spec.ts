import { afterEach, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, bench, isAlive, Leftovers } from '../../test/fixtures.js';
import { freePort } from '../free-ports.js';
import { natsServer, natsUrl } from './nats-server.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

async function start(it: Bench): Promise<string> {
  const port = await freePort();
  const monitorPort = await freePort();
  await it.supervisor.start([await natsServer({ ...it, port, monitorPort })]);
  return natsUrl(port, it.credentials, 'operator');
}

/** The driver ignores credentials in URLs. */
function login(url: string): { servers: string; user: string; pass: string } {
  const { host, username, password } = new URL(url);
  return { servers: host, user: username, pass: password };
}

test('messages in a stream survive SIGKILL, on the same port', async () => {
  const it = await bench(leftovers);
  const servers = login(await start(it));
  const before = await connect(servers);
  await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  for (let message = 0; message < 100; message++) await jetstream(before).publish('kept', String(message));
  process.kill(it.pidOf('nats'), 'SIGKILL');
  await it.restarted('nats');
  await before.close();
  const after = await connect(servers);
  leftovers.add(() => after.close());
  expect((await (await jetstreamManager(after)).streams.info('KEPT')).state.messages).toBe(100);
});

test('a server whose store was deleted while it ran comes back empty after a kill', async () => {
  const it = await bench(leftovers);
  const servers = login(await start(it));
  await rm(it.folder.part('nats'), { recursive: true });
  process.kill(it.pidOf('nats'), 'SIGKILL');
  await it.restarted('nats');
  const connection = await connect(servers);
  leftovers.add(() => connection.close());
  expect(await (await jetstreamManager(connection)).getAccountInfo()).toMatchObject({ streams: 0 });
});

test('what a batch needs fits into one message, and the store is bounded', async () => {
  const it = await bench(leftovers);
  const connection = await connect(login(await start(it)));
  leftovers.add(() => connection.close());
  expect(connection.info?.max_payload).toBe(8 * 1024 * 1024);
  const { limits } = await (await jetstreamManager(connection)).getAccountInfo();
  expect(limits).toMatchObject({ max_memory: -1, max_storage: -1 });
});

test('a stop leaves no process, even with a client connected', async () => {
  const it = await bench(leftovers);
  const connection = await connect({ ...login(await start(it)), reconnect: false });
  leftovers.add(() => connection.close());
  const pid = it.pidOf('nats');
  await it.supervisor.stop();
  expect(isAlive(pid)).toBe(false);
});

test('a client without credentials, or with those of another server, is refused', async () => {
  const it = await bench(leftovers);
  const servers = login(await start(it));
  await expect(connect({ servers: servers.servers })).rejects.toThrow(/authorization/i);
  await expect(connect({ ...servers, pass: 'guess' })).rejects.toThrow(/authorization/i);
  expect((await stat(join(it.folder.part('nats'), 'nats.conf'))).mode & 0o777).toBe(0o600);
});
