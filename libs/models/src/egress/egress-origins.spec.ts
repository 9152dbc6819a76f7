import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { EgressGuard } from './egress-guard.js';

let server: Server;
let guard: EgressGuard;
let connections: number;

beforeEach(async () => {
  connections = 0;
  server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => response.end('{}'));
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => (connections -= 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  guard = new EgressGuard({ allowPrivate: true }, { maxBytes: 1_000, timeoutMs: 5_000 }, (name, done) => {
    if (name === 'known.test') done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
  });
});

afterEach(async () => {
  await guard.close();
  server.close();
});

const ask = async (): Promise<string> => {
  const response = await guard.fetch(`http://known.test:${(server.address() as AddressInfo).port}/`);
  return response.text();
};

test('connections are kept for the next request, but not when a thousand other servers were asked since', async () => {
  await ask();
  await ask();
  expect(connections).toBeGreaterThan(0);
  for (let index = 0; index < 1_000; index += 1) {
    await guard.fetch(`http://unknown-${index}.test/`).catch(() => undefined);
  }
  await eventually(() => connections === 0, { what: 'the connection that no one needs is closed' });
  expect(await ask()).toBe('{}');
});
