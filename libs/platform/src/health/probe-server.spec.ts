import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { Metrics } from '../metrics/metrics.js';
import { HealthChecks } from './health-checks.js';
import { ProbeServer } from './probe-server.js';

let probes: ProbeServer;
let port: number;

afterEach(() => probes.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  return free;
}

async function start(address: string): Promise<void> {
  probes = new ProbeServer(new HealthChecks(), new Metrics('spec'));
  port = await freePort();
  await probes.listen(port, address);
}

/** @returns the status under this name */
const ask = (path: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });

test('what only its machine reaches shows metrics under names of the machine alone', async () => {
  await start('127.0.0.1');
  for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:9']) {
    expect(await ask('/metrics', host)).toBe(200);
  }
  for (const host of ['rebound.example', `10.0.0.1:${port}`, 'localhost.evil.example', 'a@b@c']) {
    expect(await ask('/metrics', host)).toBe(421);
  }
  expect(await ask('/health/live', 'rebound.example')).toBe(200);
});

test('what others reach shows its metrics to Prometheus, which asks by an address or the name of a service', async () => {
  await start('0.0.0.0');
  expect(await ask('/metrics', 'episodic-worker:9400')).toBe(200);
});
