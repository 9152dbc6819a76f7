import { EventListener, MessagePublisher, RpcClient, Signals } from '@loci/messaging';
import { HealthChecks, Logger, loadEnv, Metrics } from '@loci/platform';
import { RecordingLogger } from '@loci/testing';
import { type DynamicModule } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { GatewayEnv } from '../src/env.js';
import { GatewayModule } from '../src/gateway.module.js';
import { createHttpApp } from '../src/create-http-app.js';
import { FakeEvents } from './fake-events.js';
import { FakeRpc } from './fake-rpc.js';

/** A gateway with everything but the services behind it. */
export interface TestGateway {
  readonly app: NestFastifyApplication;
  readonly rpc: FakeRpc;
  readonly logger: RecordingLogger;
  readonly health: HealthChecks;
  readonly events: FakeEvents;
}

class Surroundings {}

export async function startTestGateway(
  settings: Readonly<Record<string, string>> = {},
  prepare: (server: FastifyInstance) => void = () => undefined,
): Promise<TestGateway> {
  const env = loadEnv(GatewayEnv, { NATS_URL: 'nats://unused:4222', ...settings });
  const rpc = new FakeRpc();
  const logger = new RecordingLogger();
  const health = new HealthChecks();
  const events = new FakeEvents();
  const providers = [
    { provide: RpcClient, useValue: rpc },
    { provide: EventListener, useValue: events },
    { provide: Signals, useValue: events },
    { provide: MessagePublisher, useValue: events },
    { provide: Logger, useValue: logger },
    { provide: HealthChecks, useValue: health },
    { provide: Metrics, useValue: new Metrics('gateway') },
  ];
  const surroundings = { module: Surroundings, global: true, providers, exports: providers };
  class Root {}
  const root: DynamicModule = { module: Root, imports: [surroundings, GatewayModule.forRoot(env)] };
  const app = await createHttpApp(root, env);
  prepare(app.getHttpAdapter().getInstance());
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { app, rpc, logger, health, events };
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Posts JSON and reads the answer. */
export const post = (
  gateway: TestGateway,
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => send(gateway, { method: 'POST', url, headers, ...(body && { payload: body }) });

export const put = (gateway: TestGateway, url: string, body: object): Promise<Reply> =>
  send(gateway, { method: 'PUT', url, payload: body });

export const get = (gateway: TestGateway, url: string): Promise<Reply> =>
  send(gateway, { method: 'GET', url });

async function send(
  { app }: TestGateway,
  request: Parameters<NestFastifyApplication['inject']>[0],
): Promise<Reply> {
  const response = await app.inject(request);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? undefined : response.json<unknown>(),
  };
}
