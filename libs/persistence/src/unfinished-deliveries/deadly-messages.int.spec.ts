import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { event, type MessageType, unavailable } from '@loci/contracts';
import {
  type ConsumerDeclaration,
  ConsumerRunner,
  JetStreamTopology,
  MessagePublisher,
  NatsLink,
  type UnfinishedDeliveries,
} from '@loci/messaging';
import { eventually } from '@loci/testing';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { IsInt } from 'class-validator';
import { v7 as uuidv7 } from 'uuid';
import { SpecDatabase } from '../../test/spec-database.js';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { NotedDeliveries } from './noted-deliveries.js';

jest.setTimeout(120_000);

const NATS_URL = process.env['NATS_URL'] ?? '';
const DEADLY = 13;

class Numbered {
  @IsInt()
  readonly n!: number;
}

const added: MessageType<Numbered> = event('episodic', 'deadly.added', Numbered);
const stream = {
  name: 'DEADLY_SPEC',
  subjectPrefix: 'evt.episodic.v1.deadly',
  kind: 'events',
  maxBytes: 10_000_000,
} as const;
const consumer: ConsumerDeclaration = {
  name: 'deadly-spec-consumer',
  stream,
  subject: added.subject,
  // a death is noticed after so long
  ackWaitMs: 1_000,
  maxAckPending: 100,
};

let database: SpecDatabase;
let unitOfWork: UnitOfWork;
let link: NatsLink;
let manager: JetStreamManager;
let topology: JetStreamTopology;
let publisher: MessagePublisher;
let letters: DeadLetters;
let notes: NotedDeliveries;
let runners: ConsumerRunner[];

beforeAll(async () => {
  database = await SpecDatabase.create();
  unitOfWork = await database.open();
  letters = new DeadLetters(database.options, unitOfWork, database.metrics);
  notes = new NotedDeliveries(database.options, unitOfWork, letters);
  link = await NatsLink.connect({ url: NATS_URL, name: 'deadly-spec' }, database.logger);
  manager = await jetstreamManager(link.connection);
  topology = new JetStreamTopology(link, database.logger, { streams: [stream], replicas: 1 });
  publisher = new MessagePublisher(link, topology);
});

afterAll(async () => {
  await link.close();
  await database.drop();
});

beforeEach(async () => {
  runners = [];
  await topology.ensureConsumer(consumer);
});

afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.beforeApplicationShutdown()));
  await manager.streams.delete(stream.name);
  await database.query(`TRUNCATE spec.dead_letters, spec.unfinished_deliveries, spec.notes`);
});

const publish = async (...numbers: number[]): Promise<void> => {
  for (const n of numbers) await publisher.publish(added, { n }, { id: uuidv7() });
};

async function startProcess(deadly = DEADLY): Promise<ChildProcess> {
  const child = fork('libs/persistence/test/deadly-consumer.mjs', {
    execArgv: [],
    env: {
      ...process.env,
      NATS_URL,
      DATABASE_URL: database.url,
      DEADLY: String(deadly),
      STREAM: JSON.stringify(stream),
      CONSUMER: JSON.stringify(consumer),
    },
  });
  const [ready] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  if (ready !== 'ready') throw new Error('The process did not start.');
  return child;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Starts the process again each time that it ends, until no message is left. @returns how often it died */
async function runUntilSettled(deadly?: number): Promise<number> {
  let deaths = 0;
  let child = await startProcess(deadly);
  await eventually(
    async () => {
      if (hasEnded(child)) {
        deaths += 1;
        child = await startProcess(deadly);
      }
      return (await pending()) === 0;
    },
    { what: 'every message is handled or set aside', timeoutMs: 90_000 },
  );
  child.kill('SIGTERM');
  if (!hasEnded(child)) await once(child, 'exit');
  return deaths;
}

async function pending(): Promise<number> {
  const info = await manager.consumers.info(stream.name, consumer.name);
  return info.num_pending + info.num_ack_pending;
}

const handled = async (): Promise<number[]> =>
  (await database.query<{ id: number }>(`SELECT id FROM spec.notes ORDER BY id`)).map(({ id }) => id);

/** Handles messages in this process. */
function consume(handler: (n: number) => Promise<void>, store: UnfinishedDeliveries = notes): ConsumerRunner {
  const runner = new ConsumerRunner(link, topology, letters, store, database.metrics, database.logger);
  runner.run(consumer, added, async (messages) => {
    for (const { payload } of messages) await handler(payload.n);
  });
  runners.push(runner);
  return runner;
}

/** The database is down at every second end. */
class UnreliableNotes extends NotedDeliveries {
  private ends = 0;

  override takeBack(name: string, ids: readonly string[]): Promise<void> {
    this.ends += 1;
    if (this.ends % 2 === 1) return Promise.reject(unavailable('database_unavailable', 'down'));
    return super.takeBack(name, ids);
  }
}

const setAside = (): Promise<{ payload: string; reason: string; fingerprint: string }[]> =>
  database.query(`SELECT payload, reason, fingerprint FROM spec.dead_letters`);

const attempts = async (): Promise<number[]> =>
  (await database.query<{ attempts: number }>(`SELECT attempts FROM spec.unfinished_deliveries`)).map(
    (row) => row.attempts,
  );

test('a message that ends its process three times in a row is set aside, and the others are handled', async () => {
  const healthy = Array.from({ length: 40 }, (_, index) => index).filter((n) => n !== DEADLY);
  await publish(...healthy.slice(0, 20), DEADLY, ...healthy.slice(20));
  // the first death is that of a delivery which is not noted
  expect(await runUntilSettled()).toBe(4);
  expect(await handled()).toEqual(healthy);
  expect(await setAside()).toEqual([
    {
      payload: '{"n":13}',
      reason: expect.stringContaining('ended 3 times in a row'),
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  expect(await attempts()).toEqual([]);
});

test('the same content, sent again, is not handled while its dead letter waits; then it is', async () => {
  await publish(DEADLY);
  await runUntilSettled();
  await publish(DEADLY, 1);
  expect(await runUntilSettled()).toBe(0);
  expect(await handled()).toEqual([1]);
  expect(await setAside()).toHaveLength(1);
  await database.query(`TRUNCATE spec.dead_letters`);
  await publish(DEADLY);
  expect(await runUntilSettled(Number.NaN)).toBe(0);
  expect(await handled()).toEqual([1, DEADLY]);
});

test('a failure is an orderly end, also when the database is down: it does not count', async () => {
  let tries = 0;
  consume(
    () => {
      tries += 1;
      return tries <= 6 ? Promise.reject(unavailable('database_unavailable', 'down')) : Promise.resolve();
    },
    new UnreliableNotes(database.options, unitOfWork, letters),
  );
  await publish(1);
  await eventually(async () => tries === 7 && (await pending()) === 0, {
    what: 'it is handled',
    timeoutMs: 60_000,
  });
  expect(await setAside()).toEqual([]);
  await eventually(async () => (await attempts()).length === 0, { what: 'no attempt is open' });
});

test('what is under way when a process is told to stop does not count, however it ends then', async () => {
  let tries = 0;
  let finish = (): void => undefined;
  const runner = consume(async () => {
    tries += 1;
    if (tries === 1) throw unavailable('service_unavailable', 'not yet');
    await new Promise<void>((resolve) => (finish = resolve));
  });
  await publish(1);
  await eventually(() => tries === 2, { what: 'it was delivered again, and is handled' });
  expect(await attempts()).toEqual([1]);
  const stopped = runner.beforeApplicationShutdown();
  await eventually(async () => (await attempts()).length === 0, { what: 'the note is taken back' });
  finish();
  await stopped;
});
