import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { operation, reportsAsked, signal } from '@loci/contracts';
import { HealthChecks, Logger, Metrics } from '@loci/platform';
import { eventually, RecordingLogger } from '@loci/testing';
import { Controller, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AsyncMicroserviceOptions } from '@nestjs/microservices';
import { OwnNats } from '../../test/own-nats.js';
import { EventListener } from '../events/event-listener.js';
import { Signals } from '../events/signals.js';
import { NatsModule } from '../nats.module.js';
import { DrainingNatsServer } from '../rpc/draining-nats.server.js';
import { Handle } from '../rpc/handle.decorator.js';
import { RpcClient } from '../rpc/rpc-client.js';
import { RpcServerModule } from '../rpc/rpc-server.module.js';
import { NatsLink } from './nats-link.js';

class Empty {}

const shapes = { request: Empty, response: Empty };
const old = operation('episodic', 'permit-spec.old', shapes);
const added = operation('episodic', 'permit-spec.new', shapes);
const news = signal('permit-spec.news', Empty);

/** What the version before heard. */
const BEFORE = ['_INBOX.>', reportsAsked.subject, old.subject];

@Controller()
class SpecController {
  @Handle(old)
  old(): Promise<Empty> {
    return Promise.resolve({});
  }

  @Handle(added)
  added(): Promise<Empty> {
    return Promise.resolve({});
  }
}

const logger = new RecordingLogger();
let health: HealthChecks;
let nats: OwnNats;
let service: INestMicroservice | undefined;
let client: NatsLink;

beforeEach(async () => {
  nats = await OwnNats.start();
  client = await NatsLink.connect({ url: nats.url, name: 'permit-spec-client' }, logger);
  health = new HealthChecks();
});

afterEach(async () => {
  await service?.close();
  service = undefined;
  await client.close();
  await nats.destroy();
});

const platform = () => ({
  module: class SpecPlatform {},
  global: true,
  providers: [
    { provide: Logger, useValue: logger },
    { provide: Metrics, useValue: new Metrics('spec') },
    { provide: HealthChecks, useValue: health },
  ],
  exports: [Logger, Metrics, HealthChecks],
});

async function serve(): Promise<INestMicroservice> {
  const root = {
    module: class SpecRoot {},
    imports: [
      platform(),
      NatsModule.forRoot({ url: nats.url, name: 'permit-spec' }),
      RpcServerModule.forRoot({ queue: 'permit-spec' }),
    ],
    controllers: [SpecController],
  };
  service = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    inject: [DrainingNatsServer],
    useFactory: (strategy: DrainingNatsServer) => ({ strategy }),
    logger: false,
  } as AsyncMicroserviceOptions);
  await service.listen();
  return service;
}

const isReady = async (): Promise<boolean> => (await health.failing()).length === 0;

test('what NATS does not permit yet is answered as soon as it does; until then the process is not ready', async () => {
  await nats.permit(...BEFORE);
  await serve();
  const rpc = new RpcClient(client);
  expect(await health.failing()).toEqual(['permissions at nats']);
  await expect(rpc.call(old, {})).resolves.toEqual({});
  await expect(rpc.call(added, {})).rejects.toMatchObject({ code: 'service_unavailable' });

  await nats.permit(...BEFORE, added.subject);
  await eventually(isReady, { what: 'the process is ready' });
  await expect(rpc.call(added, {})).resolves.toEqual({});
});

test('what NATS no longer permits after its restart is answered when it does again; the process goes on meanwhile', async () => {
  await serve();
  const rpc = new RpcClient(client);
  expect(await isReady()).toBe(true);
  await nats.kill();
  await nats.permit(...BEFORE);
  await nats.start();
  await eventually(() => logger.lines.some(({ message }) => message.startsWith('NATS does not permit')), {
    what: 'the refusal is noticed',
  });
  await eventually(isReady, { what: 'the process is ready' });
  await eventually(() => client.isConnected, { what: 'the client is connected, too' });
  await expect(rpc.call(old, {})).resolves.toEqual({});

  await nats.permit('>');
  await eventually(
    () =>
      rpc.call(added, {}).then(
        () => true,
        () => false,
      ),
    { what: 'it is answered again' },
  );
});

test('who hears events is told that some may have been missed until NATS permits it, and hears them from then on', async () => {
  await nats.permit(...BEFORE);
  const app = await serve();
  let gaps = 0;
  let heard = 0;
  app.get(EventListener).hear(news, { onEvent: () => void (heard += 1), onGap: () => void (gaps += 1) });
  await eventually(() => gaps >= 2, { what: 'the gap is told of at each refusal' });

  await nats.permit('>');
  await eventually(isReady, { what: 'the process is ready' });
  const gapsUntilThen = gaps;
  new Signals(client, app.get(EventListener)).tell(news, {});
  await eventually(() => heard === 1, { what: 'the event is heard' });
  expect(gaps).toBe(gapsUntilThen);
});

test('a refused subscription that is ended is not asked for again, and keeps nothing from being ready', async () => {
  await nats.permit(...BEFORE);
  const app = await serve();
  await eventually(async () => !(await isReady()), { what: 'the refusal is noticed' });
  await app.close();
  service = undefined;
  expect(app.get(NatsLink).isPermitted).toBe(true);
});

test('what a listener throws is logged, and the connection is read on', async () => {
  let heard = 0;
  client.subscribe('lasting-spec.thrown', {
    onMessage: () => {
      heard += 1;
      throw new Error('unforeseen');
    },
  });
  client.connection.publish('lasting-spec.thrown');
  client.connection.publish('lasting-spec.thrown');
  await client.connection.flush();
  expect(heard).toBe(2);
  expect(logger.lines.some(({ message }) => message === 'what came could not be taken')).toBe(true);
});
