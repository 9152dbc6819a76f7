import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError, notFound, operation, type Tenant } from '@loci/contracts';
import { HealthChecks, Logger, Metrics, RequestContext, type RequestScope } from '@loci/platform';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AsyncMicroserviceOptions, ClientNats } from '@nestjs/microservices';
import { IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { firstValueFrom } from 'rxjs';
import { NatsLink } from '../connection/nats-link.js';
import { headersOf } from '../../test/headers-of.js';
import { NatsModule } from '../nats.module.js';
import { eventually, RecordingLogger, natsLogin } from '@loci/testing';
import { DrainingNatsServer } from './draining-nats.server.js';
import { Handle } from './handle.decorator.js';
import { RpcClient } from './rpc-client.js';
import { RpcServerModule } from './rpc-server.module.js';

const NATS_URL = process.env['NATS_URL'] ?? '';
const MAX_IN_FLIGHT = 4;
const READS_AT_ONCE = 4;

class Question {
  @IsString()
  readonly text!: string;

  @IsOptional()
  @IsInt()
  readonly size?: number | undefined;
}

class TenantQuestion {
  @IsObject()
  readonly tenant!: Tenant;
}

class Answer {
  readonly text!: string;
  readonly scope?: RequestScope | undefined;
}

const shapes = { request: Question, response: Answer };
const echo = operation('episodic', 'rpc-spec.echo', shapes);
const fail = operation('episodic', 'rpc-spec.fail', shapes);
const grow = operation('episodic', 'rpc-spec.grow', shapes);
const wait = operation('episodic', 'rpc-spec.wait', shapes, 15_000);
const read = operation('episodic', 'rpc-spec.read', { request: TenantQuestion, response: Answer }, 15_000);
const unserved = operation('episodic', 'rpc-spec.unserved', shapes);

const STORE = 'RPC_SPEC';
const REQUEST = JSON.stringify({ pattern: echo.subject, id: '1', data: { text: 'forged' } });

const logger = new RecordingLogger();
let waiting: (() => void)[] = [];
let handled = 0;
/** Whose requests were begun to be read for. */
let reading: string[] = [];

@Controller()
class SpecController {
  @Handle(echo)
  echo({ text }: Question): Promise<Answer> {
    handled += 1;
    return Promise.resolve({ text, scope: RequestContext.current() });
  }

  @Handle(fail)
  fail({ text }: Question): Promise<Answer> {
    if (text === 'known')
      throw notFound('memory_not_found', 'No such memory.', { fields: { not_found: ['a'] } });
    return Promise.reject(new Error('the password is hunter2'));
  }

  @Handle(grow)
  grow({ size = 0 }: Question): Promise<Answer> {
    return Promise.resolve({ text: 'x'.repeat(size) });
  }

  @Handle(read, { inTurn: ({ tenant: { orgId } }) => (orgId === 'large' ? 100 : 1) })
  async read({ tenant: { orgId } }: TenantQuestion): Promise<Answer> {
    reading.push(orgId);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { text: orgId };
  }

  @Handle(wait)
  async wait({ text }: Question): Promise<Answer> {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { text };
  }
}

@Module({
  providers: [
    { provide: Logger, useValue: logger },
    { provide: Metrics, useValue: new Metrics('spec') },
    { provide: HealthChecks, useValue: new HealthChecks() },
  ],
  exports: [Logger, Metrics, HealthChecks],
})
class SpecPlatform {}

const root = (maxInFlight: number) => ({
  module: class SpecRoot {},
  imports: [
    { module: SpecPlatform, global: true },
    NatsModule.forRoot({ url: NATS_URL, name: 'rpc-spec' }),
    RpcServerModule.forRoot({ queue: 'rpc-spec', maxInFlight, readsAtOnce: READS_AT_ONCE }),
  ],
  controllers: [SpecController],
});

async function serve(maxInFlight = MAX_IN_FLIGHT): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root(maxInFlight), {
    inject: [DrainingNatsServer],
    useFactory: (strategy: DrainingNatsServer) => ({ strategy }),
    logger: false,
  } as AsyncMicroserviceOptions);
  await app.listen();
  return app;
}

const release = (): void => {
  for (const go of waiting.splice(0)) go();
};

async function rejection(work: Promise<unknown>): Promise<AppError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw new Error(`not an AppError: ${String(outcome)}`);
}

let service: INestMicroservice;
let link: NatsLink;
let client: RpcClient;

beforeAll(async () => {
  service = await serve();
  link = await NatsLink.connect({ url: NATS_URL, name: 'rpc-spec-client' }, logger);
  client = new RpcClient(link);
});

afterAll(async () => {
  release();
  await service.close();
  await link.close();
});

beforeEach(() => {
  waiting = [];
  handled = 0;
  reading = [];
  logger.lines.length = 0;
});

test('of the reads that run in turn, one organization has half, and the others do not wait behind it', async () => {
  const readFor = (orgId: string): Promise<Answer> =>
    client.call(read, { tenant: { orgId, projectId: 'p' } });
  const busy = [readFor('busy'), readFor('busy'), readFor('busy')];
  await eventually(() => reading.length === READS_AT_ONCE / 2, { what: 'half of them run' });
  const quiet = readFor('quiet');
  await eventually(() => reading.includes('quiet'), { what: 'another organization has its turn' });
  expect(reading).toEqual(['busy', 'busy', 'quiet']);
  release();
  await quiet;
  await eventually(() => reading.length === 4, { what: 'the third has its turn' });
  release();
  expect((await Promise.all(busy)).map(({ text }) => text)).toEqual(['busy', 'busy', 'busy']);
});

test('a read that costs as much as many has all turns of its organization, and no others', async () => {
  const readFor = (orgId: string): Promise<Answer> =>
    client.call(read, { tenant: { orgId, projectId: 'p' } });
  const large = [readFor('large'), readFor('large')];
  await eventually(() => reading.length === 1, { what: 'one of them runs' });
  const quiet = readFor('quiet');
  await eventually(() => reading.includes('quiet'), { what: 'another organization has its turn' });
  expect(reading).toEqual(['large', 'quiet']);
  release();
  await quiet;
  await eventually(() => reading.length === 3, { what: 'the second has its turn' });
  release();
  expect(await Promise.all(large)).toHaveLength(2);
});

test('brings the answer of the handler', async () => {
  await expect(client.call(echo, { text: 'höhö "x" \u0000' })).resolves.toMatchObject({
    text: 'höhö "x" \u0000',
  });
});

test('the request id, trace and deadline reach the handler', async () => {
  const scope = { requestId: 'r-1', traceparent: '00-trace', deadlineMs: Date.now() + 5_000 };
  const answer = await RequestContext.run(scope, () => client.call(echo, { text: 'x' }));
  expect(answer.scope).toEqual(scope);
});

test('a call without a request begins one of its own', async () => {
  const { scope } = await client.call(echo, { text: 'x' });
  expect(scope?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect((scope?.deadlineMs ?? 0) - Date.now()).toBeGreaterThan(9_000);
});

test("the service's own error arrives as it was thrown", async () => {
  const error = await rejection(client.call(fail, { text: 'known' }));
  expect({ ...error, message: error.message }).toMatchObject({
    kind: 'not_found',
    code: 'memory_not_found',
    message: 'No such memory.',
    details: { fields: { not_found: ['a'] } },
  });
});

test('an unforeseen error becomes internal_error: its story is in the log, not in the answer', async () => {
  const error = await rejection(client.call(fail, { text: 'bug' }));
  expect(error.code).toBe('internal_error');
  expect(JSON.stringify(error)).not.toContain('hunter2');
  const [line] = logger.lines.filter(({ level }) => level === 'error');
  expect((line?.fields['error'] as AppError).cause).toMatchObject({ message: 'the password is hunter2' });
});

test('a request of the wrong shape is refused with its problems and never reaches the handler', async () => {
  const error = await rejection(client.call(echo, { text: 7, size: 'x' } as unknown as Question));
  expect(error.code).toBe('invalid_request');
  expect(error.details.problems?.map(({ loc }) => loc.join('.'))).toEqual(['body.text', 'body.size']);
  expect(handled).toBe(0);
});

test.each([
  ['an author that is no JSON', 'x-author: !!!'],
  ['an author that is none', `x-author: ${Buffer.from('null').toString('base64url')}`],
  ['a name of a header that is none', 'a b: c'],
])('a request with %s is refused, and the process goes on', async (_, header) => {
  const answer = await link.connection.request(echo.subject, REQUEST, {
    timeout: 5_000,
    headers: headersOf(header),
  });
  expect(answer.json()).toMatchObject({ err: { code: 'invalid_request' } });
  expect(handled).toBe(0);
  await expect(client.call(echo, { text: 'x' })).resolves.toMatchObject({ text: 'x' });
});

test('an operation that no process serves is unavailable at once', async () => {
  const started = performance.now();
  const error = await rejection(client.call(unserved, { text: 'x' }));
  expect(error).toMatchObject({ code: 'service_unavailable', details: { retryAfterSeconds: 1 } });
  expect(performance.now() - started).toBeLessThan(unserved.timeoutMs / 2);
});

test('an answer that takes too long is not waited for', async () => {
  const started = performance.now();
  const error = await rejection(client.call(wait, { text: 'x' }, { timeoutMs: 200 }));
  expect(error.code).toBe('deadline_exceeded');
  expect(performance.now() - started).toBeLessThan(wait.timeoutMs / 2);
  release();
});

test('the deadline of the request counts when it is nearer', async () => {
  const scope = { requestId: 'r', deadlineMs: Date.now() + 200 };
  const error = await RequestContext.run(scope, () => rejection(client.call(wait, { text: 'x' })));
  expect(error.code).toBe('deadline_exceeded');
  release();
});

test('nothing is asked when the deadline has passed', async () => {
  const scope = { requestId: 'r', deadlineMs: Date.now() - 1 };
  const error = await RequestContext.run(scope, () => rejection(client.call(echo, { text: 'x' })));
  expect(error.code).toBe('deadline_exceeded');
  expect(handled).toBe(0);
});

test('a request that arrives after its deadline is refused unread', async () => {
  const late = headers();
  late.set('x-deadline-ms', String(Date.now() - 1_000));
  const reply = await link.connection.request(
    echo.subject,
    JSON.stringify({ pattern: echo.subject, id: '1', data: { text: 'x' } }),
    { timeout: 30_000, headers: late },
  );
  expect(reply.json()).toMatchObject({ err: { code: 'deadline_exceeded' } });
  expect(handled).toBe(0);
});

test('more requests than a process may work on are turned away at once', async () => {
  const accepted = Array.from({ length: MAX_IN_FLIGHT }, () => client.call(wait, { text: 'x' }));
  await eventually(() => waiting.length === MAX_IN_FLIGHT, { what: 'all are being worked on' });
  const error = await rejection(client.call(echo, { text: 'x' }));
  expect(error).toMatchObject({ kind: 'rate_limited', code: 'overloaded' });
  release();
  await expect(Promise.all(accepted)).resolves.toHaveLength(MAX_IN_FLIGHT);
  await expect(client.call(echo, { text: 'x' })).resolves.toMatchObject({ text: 'x' });
});

test('a request larger than the server takes is refused with a clear error', async () => {
  const error = await rejection(client.call(echo, { text: 'x'.repeat(9_000_000) }));
  expect(error.code).toBe('body_too_large');
});

test('an answer larger than the server takes becomes a clear error', async () => {
  const error = await rejection(client.call(grow, { text: 'x', size: 9_000_000 }));
  expect(error.code).toBe('body_too_large');
});

test('several megabytes go through', async () => {
  const { text } = await client.call(grow, { text: 'x', size: 7_000_000 });
  expect(text).toHaveLength(7_000_000);
});

test("Nest's own client understands the answers", async () => {
  const nest = new ClientNats(natsLogin(NATS_URL));
  await nest.connect();
  const answer: unknown = await firstValueFrom(nest.send(echo.subject, { text: 'from Nest' }));
  expect(answer).toMatchObject({ text: 'from Nest' });
  await expect(firstValueFrom(nest.send(fail.subject, { text: 'known' }))).rejects.toMatchObject({
    code: 'memory_not_found',
  });
  await nest.close();
});

test('closing answers what was taken and takes nothing new', async () => {
  const closing = await serve();
  await service.close();
  const taken = client.call(wait, { text: 'taken' });
  await eventually(() => waiting.length === 1, { what: 'it is being worked on' });
  const closed = closing.close();
  await eventually(
    async () => (await rejection(client.call(echo, { text: 'late' }))).code === 'service_unavailable',
    { what: 'no process takes new requests' },
  );
  release();
  await expect(taken).resolves.toMatchObject({ text: 'taken' });
  await closed;
  service = await serve();
});

/** Has JetStream send a stored request where a client wants it, in each of the ways that there are. */
const SENT_BY_THE_SERVER: [string, (nats: NatsConnection, jsm: JetStreamManager) => Promise<void>][] = [
  [
    'a message that is fetched with the subject as its inbox',
    async (nats, jsm) => {
      await jsm.consumers.add(STORE, { durable_name: 'pulled', ack_policy: 'explicit' });
      nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${STORE}.pulled`, '1', { reply: echo.subject });
    },
  ],
  [
    'a message of a consumer that delivers to the subject',
    async (_, jsm) => {
      await jsm.consumers.add(STORE, {
        durable_name: 'pushed',
        ack_policy: 'explicit',
        deliver_subject: echo.subject,
        deliver_group: 'rpc-spec',
      });
    },
  ],
  [
    'a message that a stream publishes again under the subject',
    async (nats, jsm) => {
      await jsm.streams.update(STORE, { republish: { src: 'rpc-spec-stored', dest: echo.subject } });
      await jetstream(nats).publish('rpc-spec-stored', REQUEST);
    },
  ],
  [
    'an answer of the server itself',
    async (nats) => {
      nats.publish('rpc-spec-stored', REQUEST, { reply: echo.subject });
      await nats.flush();
    },
  ],
];

test.each(SENT_BY_THE_SERVER)('%s is not handled', async (_, send) => {
  const nats = link.connection;
  const jsm = await jetstreamManager(nats);
  await jsm.streams.add({ name: STORE, subjects: ['rpc-spec-stored'] });
  try {
    await jetstream(nats).publish('rpc-spec-stored', REQUEST);
    await send(nats, jsm);
    await eventually(
      () => logger.lines.some(({ message }) => message.startsWith('what came is no request')),
      {
        what: 'it is refused',
      },
    );
    expect(handled).toBe(0);
  } finally {
    await jsm.streams.delete(STORE);
  }
});

test('each service answers to an inbox of its own, of which no other is told', async () => {
  const inboxes = ['rpc.config.v1.rpc-spec.echo', 'rpc.semantic.v1.rpc-spec.echo'].map((subject) => {
    const told = new Promise<string>((resolve) => {
      link.connection.subscribe(subject, { max: 1, callback: (_, { reply = '' }) => resolve(reply) });
    });
    void client.call({ ...echo, subject }, { text: 'x' }, { timeoutMs: 100 }).catch(() => undefined);
    return told;
  });
  const [config, semantic] = (await Promise.all(inboxes)).map((inbox) => inbox.split('.'));
  const user = link.inboxPrefix;
  expect(config?.slice(0, 3).join('.')).toBe(`${user}.config`);
  expect(semantic?.slice(0, 3).join('.')).toBe(`${user}.semantic`);
  expect(config?.[3]).toMatch(/^[0-9a-f]{32}$/);
  expect(config?.[3]).not.toBe(semantic?.[3]);
});

test('what JetStream is made to send to an inbox is no answer', async () => {
  const nats = link.connection;
  const jsm = await jetstreamManager(nats);
  await jsm.streams.add({ name: STORE, subjects: ['rpc-spec-stored'] });
  try {
    await jsm.consumers.add(STORE, { durable_name: 'pulled', ack_policy: 'explicit' });
    await jetstream(nats).publish('rpc-spec-stored', '{"response":{"text":"forged"}}');
    nats.subscribe(unserved.subject, {
      max: 1,
      callback: (_, { reply = '' }) =>
        nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${STORE}.pulled`, '1', { reply }),
    });
    const error = await rejection(client.call(unserved, { text: 'x' }, { timeoutMs: 300 }));
    expect(error.code).toBe('deadline_exceeded');
    const { delivered } = await jsm.consumers.info(STORE, 'pulled');
    expect(delivered.consumer_seq).toBe(1);
  } finally {
    await jsm.streams.delete(STORE);
  }
});

test('every operation is counted by its result', async () => {
  const metrics = service.get(Metrics, { strict: false });
  await client.call(echo, { text: 'x' });
  expect(await metrics.render()).toMatch(
    /rpc_server_requests_total\{operation="rpc\.episodic\.v1\.rpc-spec\.echo",result="ok"/,
  );
});
