import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Leftovers } from '../test/fixtures.js';
import { assertPortFree, FreePorts, freePort } from './free-ports.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

test('ports asked for at the same time differ and lie below those of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('processes that choose at the same time never choose the same', async () => {
  const processes = Array.from({ length: 40 }, () => new FreePorts());
  const ports = await Promise.all(
    processes.flatMap((process) => Array.from({ length: 20 }, () => process.next())),
  );
  expect(new Set(ports).size).toBe(800);
});

test('a port that another server listens on is passed over', async () => {
  const own = new FreePorts();
  const first = await own.next();
  const server = createServer().listen(first + 1, '127.0.0.1');
  leftovers.add(() => server.close());
  await once(server, 'listening');
  expect(await own.next()).toBe(first + 2);
});

test('a port in use is a sentence that names the port and the setting', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  leftovers.add(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(assertPortFree({ port, host: '127.0.0.1', portVariable: 'NATS_PORT' })).rejects.toMatchObject({
    code: 'port_in_use',
    message: `Port ${port} on 127.0.0.1 is in use by another process: stop that process, or set NATS_PORT to a free port.`,
  });
});

test('an address that is not ours is a sentence', async () => {
  const door = { port: 8080, host: '192.0.2.1', portVariable: 'PORT', hostVariable: 'HOST' };
  await expect(assertPortFree(door)).rejects.toThrow(
    'Nothing can listen on 192.0.2.1 (EADDRNOTAVAIL): set HOST to an address of this machine.',
  );
});

test('a free port passes and stays free', async () => {
  const door = { port: await freePort(), host: '127.0.0.1', portVariable: 'PORT' };
  await assertPortFree(door);
  await assertPortFree(door);
});
