import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addEpisodes, checkHealth, type Operation } from '@loci/contracts';
import { NatsLink } from '@loci/messaging';
import { loadEnv } from '@loci/platform';
import { type Servers, startServers } from '@loci/runtime';
import { eventually } from '@loci/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { RecordingLogger } from '@loci/testing';
import { ApiModule } from './api.module.js';
import { GatewayEnv } from './env.js';
import { createHttpApp } from './create-http-app.js';

let dataDir: string;
let servers: Servers;
let app: NestFastifyApplication;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loci-gateway-'));
  servers = await startServers({ dataDir, durability: 'fast-for-tests', only: ['nats'] });
  const env = loadEnv(GatewayEnv, { NATS_URL: servers.natsUrlOf('gateway'), LOG_LEVEL: 'silent' });
  app = await createHttpApp(ApiModule.forRoot(env), env);
  await app.init();
});

afterAll(async () => {
  await app.close();
  await servers.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const add = () =>
  app.inject({
    method: 'POST',
    url: '/api/v2/memories',
    headers: { 'x-request-id': 'over-nats' },
    payload: { messages: [{ content: 'x' }] },
  });

const statusOf = async (url: string): Promise<number> => (await app.inject(url)).statusCode;

test('without services, requests are 503 at once, and so is health; the process itself is ready', async () => {
  const startedAt = performance.now();
  const answer = await add();
  expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
  expect(answer.json()).toEqual({ detail: expect.any(String), code: 'service_unavailable' });
  expect(await statusOf('/health')).toBe(503);
  expect(await statusOf('/health/ready')).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(addEpisodes.timeoutMs / 2);
});

test('a service answers over NATS, and knows the request and its deadline', async () => {
  const link = await NatsLink.connect({ url: servers.natsUrl, name: 'services' }, new RecordingLogger());
  const heard: (string | undefined)[] = [];
  const serve = ({ subject }: Operation<object, object>, response: object): void => {
    link.connection.subscribe(subject, {
      callback: (_, message) => {
        heard.push(message.headers?.get('x-request-id'), message.headers?.get('x-deadline-ms'));
        message.respond(JSON.stringify({ response, isDisposed: true }));
      },
    });
  };
  serve(addEpisodes, { uids: ['u'] });
  serve(checkHealth('config'), { ready: true, failing: [] });
  serve(checkHealth('episodic'), { ready: true, failing: [] });
  serve(checkHealth('semantic'), { ready: true, failing: [] });
  await link.connection.flush();

  const before = Date.now();
  const answer = await add();
  expect(answer.json()).toEqual({ results: [{ uid: 'u' }] });
  const [requestId, deadlineMs] = heard;
  expect(requestId).toBe('over-nats');
  expect(Number(deadlineMs)).toBeGreaterThan(before);
  await eventually(async () => (await statusOf('/health')) === 200, { what: 'health sees the services' });
  await link.close();
});

test('while NATS is down the process is not ready and requests are 503; both mend by themselves', async () => {
  const port = Number(new URL(servers.natsUrl).port);
  await servers.stop();
  await eventually(async () => (await statusOf('/health/ready')) === 503, { what: 'the loss is noticed' });
  expect(await statusOf('/health/live')).toBe(200);
  expect(await add()).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
  servers = await startServers({
    dataDir,
    durability: 'fast-for-tests',
    only: ['nats'],
    ports: { nats: port },
  });
  await eventually(async () => (await statusOf('/health/ready')) === 200, {
    what: 'NATS is connected again',
  });
});
