import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { NatsLink } from '../connection/nats-link.js';
import { Metrics } from '@loci/platform';
import { eventually, RecordingLogger } from '@loci/testing';
import { type ConsumerDeclaration, type StreamDeclaration, streamConfig } from './declarations.js';
import { isMissing } from './jetstream-errors.js';
import { MessagePublisher } from './message-publisher.js';
import { StreamMaker } from './stream-maker.js';
import { JetStreamTopology } from './jetstream-topology.js';

const stream: StreamDeclaration = {
  name: 'TOPOLOGY_SPEC',
  subjectPrefix: 'topology-spec',
  kind: 'events',
  maxBytes: 1_000_000,
};
const consumer: ConsumerDeclaration = {
  name: 'topology-spec-consumer',
  stream,
  subject: 'topology-spec.v1.a.b',
  ackWaitMs: 30_000,
  maxAckPending: 10,
};

const logger = new RecordingLogger();
let link: NatsLink;
let manager: JetStreamManager;
let topology: JetStreamTopology;
let metrics: Metrics;
let publisher: MessagePublisher;

beforeAll(async () => {
  link = await NatsLink.connect({ url: process.env['NATS_URL'] ?? '', name: 'topology-spec' }, logger);
  manager = await jetstreamManager(link.connection);
  topology = new JetStreamTopology(link, logger, { streams: [stream], replicas: 1 });
  publisher = new MessagePublisher(link, topology);
});

afterAll(async () => {
  await remove(stream.name);
  await link.close();
});

/** Certainly: what an unanswered request left there would count as the next test's. */
const remove = (name: string): Promise<unknown> =>
  eventually(
    () =>
      manager.streams.delete(name).catch((error: unknown) => {
        if (isMissing(error)) return true;
        throw error;
      }),
    { what: `the stream ${name} is gone` },
  );

beforeEach(() => {
  metrics = new Metrics('topology-spec');
  return remove(stream.name);
});

/** How many streams and consumers a maker says were lost. */
const lost = async (): Promise<string | undefined> =>
  /^jetstream_lost_total\S* (\d+)$/m.exec(await metrics.render())?.[1];

test('creates what is missing: the stream before its consumer', async () => {
  await topology.ensureConsumer(consumer);
  const { config } = await manager.streams.info(stream.name);
  expect(config).toMatchObject({
    subjects: ['topology-spec.>'],
    retention: 'limits',
    discard: 'old',
    storage: 'file',
    max_bytes: 1_000_000,
    max_age: 7 * 24 * 3600 * 1e9,
    duplicate_window: 120 * 1e9,
  });
  const info = await manager.consumers.info(stream.name, consumer.name);
  expect(info.config).toMatchObject({
    ack_policy: 'explicit',
    ack_wait: 30e9,
    max_ack_pending: 10,
    filter_subject: consumer.subject,
  });
});

test('a stream of work keeps a message until it is done, however old it gets, and refuses new ones when it is full', async () => {
  const work: StreamDeclaration = { ...stream, kind: 'work' };
  await topology.ensureStreams([work]);
  const { config } = await manager.streams.info(stream.name);
  expect(config).toMatchObject({ retention: 'workqueue', discard: 'new', max_age: 0 });
});

test('leaves alone what is as declared', async () => {
  await topology.ensureConsumer(consumer);
  logger.lines.length = 0;
  await topology.ensureStreams([stream]);
  await topology.ensureConsumer(consumer);
  expect(logger.lines).toEqual([]);
});

test('updates in place what is declared otherwise by now, and keeps the messages', async () => {
  await topology.ensureConsumer(consumer);
  await publisher.send({ subject: consumer.subject, body: '{}', id: '1' });
  await topology.ensureStreams([{ ...stream, maxBytes: 2_000_000 }]);
  await topology.ensureConsumer({ ...consumer, maxAckPending: 20 });
  const { config, state } = await manager.streams.info(stream.name);
  expect([config.max_bytes, state.messages]).toEqual([2_000_000, 1]);
  const info = await manager.consumers.info(stream.name, consumer.name);
  expect(info.config.max_ack_pending).toBe(20);
});

test('a stream of the version before, too, is purged on no request, and can be updated', async () => {
  const before = { ...streamConfig(stream, 1), deny_purge: false, deny_delete: false };
  await manager.streams.add(before);
  await publisher.send({ subject: consumer.subject, body: '{}', id: '1' });
  await topology.ensureStreams([stream]);
  await expect(manager.streams.purge(stream.name)).rejects.toThrow(/denied|not permitted/i);
  await expect(manager.streams.deleteMessage(stream.name, 1)).rejects.toThrow(/denied|not permitted/i);
  await topology.ensureStreams([{ ...stream, maxBytes: 2_000_000 }]);
  const { config, state } = await manager.streams.info(stream.name);
  expect([config.max_bytes, state.messages]).toEqual([2_000_000, 1]);
});

test('many that miss the same at once get along', async () => {
  const others = Array.from(
    { length: 3 },
    () => new JetStreamTopology(link, logger, { streams: [stream], replicas: 1 }),
  );
  const infos = await Promise.all(
    [...others, topology].flatMap((one) => [one, one]).map((one) => one.ensureConsumer(consumer)),
  );
  expect(new Set(infos.map(({ created }) => created)).size).toBe(1);
});

test('publishing into a missing stream creates it, and nothing is lost', async () => {
  await publisher.send({ subject: consumer.subject, body: '{"a":1}', id: '1' });
  expect((await manager.streams.info(stream.name)).state.messages).toBe(1);
});

test('the same id is stored once', async () => {
  const message = { subject: consumer.subject, body: '{}', id: 'same' };
  await Promise.all([publisher.send(message), publisher.send(message)]);
  await publisher.send(message);
  expect((await manager.streams.info(stream.name)).state.messages).toBe(1);
});

test('a full stream of work refuses, retryably', async () => {
  await topology.ensureStreams([{ ...stream, kind: 'work', maxBytes: 2_000 }]);
  const publish = async (): Promise<void> => {
    for (let n = 0; n < 10; n += 1) {
      await publisher.send({
        subject: consumer.subject,
        body: JSON.stringify('x'.repeat(500)),
        id: String(n),
      });
    }
  };
  await expect(publish()).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('a subject that belongs to no stream is a mistake that is named', async () => {
  const lost = publisher.send({ subject: 'nowhere.v1.a.b', body: '{}', id: '1' });
  await expect(lost).rejects.toMatchObject({
    code: 'internal_error',
    cause: { message: expect.stringContaining('nowhere.v1.a.b') },
  });
});

test('a message larger than the server takes is refused with a clear error', async () => {
  const huge = publisher.send({ subject: consumer.subject, body: 'x'.repeat(9_000_000), id: '1' });
  await expect(huge).rejects.toMatchObject({ code: 'body_too_large' });
});

test('what a stream was made to do beside keeping messages ends', async () => {
  await topology.ensureStreams([stream]);
  await manager.streams.update(stream.name, {
    republish: { src: consumer.subject, dest: 'topology-spec-elsewhere' },
    subject_transform: { src: consumer.subject, dest: 'topology-spec-transformed' },
    sources: [{ name: 'TOPOLOGY_SPEC_OTHER' }],
  });
  await topology.ensureStreams([stream]);
  const { config } = await manager.streams.info(stream.name);
  expect(config).not.toHaveProperty('republish');
  expect(config).not.toHaveProperty('subject_transform');
  expect(config).not.toHaveProperty('sources');
});

test('what a consumer was made to deliver beside its messages ends', async () => {
  await topology.ensureConsumer(consumer);
  await manager.consumers.update(stream.name, consumer.name, {
    filter_subjects: [consumer.subject, `${stream.subjectPrefix}.v1.others`],
    filter_subject: undefined,
    headers_only: true,
    inactive_threshold: 3_600e9,
    pause_until: new Date(Date.now() + 3_600_000).toISOString(),
  } as object);
  await topology.ensureConsumer(consumer);
  const { config } = await manager.consumers.info(stream.name, consumer.name);
  expect(config.filter_subject).toBe(consumer.subject);
  for (const field of ['filter_subjects', 'headers_only', 'inactive_threshold', 'pause_until'])
    expect(config).not.toHaveProperty(field);
});

const pushing = (durable_name: string): Promise<unknown> =>
  manager.consumers.add(stream.name, {
    durable_name,
    filter_subject: consumer.subject,
    deliver_subject: 'topology-spec-elsewhere',
    ack_wait: 30e9,
    max_ack_pending: 10,
    ack_policy: 'explicit',
    deliver_policy: 'all',
  });

test('consumers that push are deleted, and the one that has the name of a declared one is made again', async () => {
  await topology.ensureStreams([stream]);
  await pushing(consumer.name);
  await pushing('another');
  const pulled = 'topology-spec-pulled';
  await manager.consumers.add(stream.name, { durable_name: pulled, ack_policy: 'explicit' });
  logger.lines.length = 0;
  const maker = new StreamMaker({
    link,
    topology,
    streams: [stream],
    consumers: [consumer],
    logger,
    metrics,
  });
  maker.onApplicationBootstrap();
  try {
    await eventually(() => maker.isComplete, { what: 'all is as declared' });
  } finally {
    await maker.beforeApplicationShutdown();
  }
  const { config } = await manager.consumers.info(stream.name, consumer.name);
  expect(config).not.toHaveProperty('deliver_subject');
  await expect(manager.consumers.info(stream.name, 'another')).rejects.toThrow(/not found/);
  await manager.consumers.info(stream.name, pulled);
  for (const name of [consumer.name, 'another']) {
    const fields = { consumer: name, stream: stream.name };
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'deleting a consumer that pushes', fields }),
    );
  }
});

test('who may make no stream and no consumer waits for the maker, and says so until it has found its own', async () => {
  const found = new JetStreamTopology(link, logger, {
    streams: [stream],
    replicas: 1,
    findsStreams: true,
  });
  found.expect(consumer);
  await found.ensureStreams([stream]);
  await expect(found.ensureConsumer(consumer)).rejects.toThrow(
    'The consumer topology-spec-consumer of the stream TOPOLOGY_SPEC is not there yet: the process `streams` makes it.',
  );
  await expect(manager.streams.info(stream.name)).rejects.toThrow(/not found/);
  expect(found.isComplete).toBe(false);
  const maker = new StreamMaker({
    link,
    topology,
    streams: [stream],
    consumers: [consumer],
    logger,
    metrics,
  });
  maker.onApplicationBootstrap();
  try {
    await eventually(() => found.ensureConsumer(consumer), { what: 'the maker made it' });
    await eventually(() => maker.isComplete, { what: 'the maker has made all' });
    expect(found.isComplete).toBe(true);
    expect(await lost()).toBe('0');
    await remove(stream.name);
    await eventually(() => found.ensureConsumer(consumer), { what: 'the maker makes it again' });
    expect(found.isComplete).toBe(true);
    await eventually(async () => (await lost()) === '2', { what: 'it tells that both were lost' });
  } finally {
    await maker.beforeApplicationShutdown();
  }
});

test('a JetStream that does not answer is asked for one thing until it does', async () => {
  const asked: string[] = [];
  const ask = (name: string): Promise<never> => {
    asked.push(name);
    return Promise.reject(new errors.TimeoutError());
  };
  const silent = {
    ensureStreams: (streams: readonly StreamDeclaration[]) => ask(streams[0]?.name ?? ''),
    removePushing: ({ name }: StreamDeclaration) => ask(name),
    ensureConsumer: ({ name }: ConsumerDeclaration) => ask(name),
    made: 0,
  };
  const streams = [stream, { ...stream, name: 'OTHER' }];
  const maker = new StreamMaker({ link, topology: silent, streams, consumers: [consumer], logger, metrics });
  maker.onApplicationBootstrap();
  try {
    await eventually(() => asked.length > 1, { what: 'it is asked again' });
    expect(asked.slice(0, 2)).toEqual([stream.name, stream.name]);
    expect(maker.isComplete).toBe(false);
  } finally {
    await maker.beforeApplicationShutdown();
  }
});

test('a stream that cannot be made keeps no other from being made', async () => {
  const wrong = { ...stream, name: 'TOPOLOGY SPEC' };
  const maker = new StreamMaker({ link, topology, streams: [wrong, stream], consumers: [], logger, metrics });
  maker.onApplicationBootstrap();
  try {
    await eventually(() => manager.streams.info(stream.name), { what: 'the other one is made' });
    expect(maker.isComplete).toBe(false);
  } finally {
    await maker.beforeApplicationShutdown();
  }
});
