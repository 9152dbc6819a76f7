import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { event, notFound } from '@loci/contracts';
import {
  type ConsumerDeclaration,
  ConsumerRunner,
  MessagePublisher,
  NatsLink,
  JetStreamTopology,
} from '@loci/messaging';
import { eventually, TestDatabase } from '@loci/testing';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { IsInt } from 'class-validator';
import { SpecDatabase } from '../../test/spec-database.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { NotedDeliveries } from '../unfinished-deliveries/noted-deliveries.js';
import { DeadLetters } from './dead-letters.js';

class Numbered {
  @IsInt()
  readonly n!: number;
}

const added = event('episodic', 'replay-spec.added', Numbered);
const stream = {
  name: 'REPLAY_SPEC',
  subjectPrefix: 'evt.episodic.v1.replay-spec',
  kind: 'events',
  maxBytes: 10_000_000,
} as const;
const consumer: ConsumerDeclaration = {
  name: 'replay-spec-consumer',
  stream,
  subject: added.subject,
  ackWaitMs: 30_000,
  maxAckPending: 100,
};
const STRANGER = '0198c0de-0000-7000-8000-000000000000';

let database: SpecDatabase;
let link: NatsLink;
let manager: JetStreamManager;
let publisher: MessagePublisher;
let letters: DeadLetters;
let runner: ConsumerRunner;
let relay: OutboxRelay;
let handled: number[];
let isBroken: boolean;

beforeAll(async () => {
  database = await SpecDatabase.create();
  const unitOfWork = await database.open();
  letters = new DeadLetters(database.options, unitOfWork, database.metrics);
  link = await NatsLink.connect({ url: process.env['NATS_URL'] ?? '', name: 'replay-spec' }, database.logger);
  manager = await jetstreamManager(link.connection);
  const topology = new JetStreamTopology(link, database.logger, { streams: [stream], replicas: 1 });
  publisher = new MessagePublisher(link, topology);
  const notes = new NotedDeliveries(database.options, unitOfWork, letters);
  runner = new ConsumerRunner(link, topology, letters, notes, database.metrics, database.logger);
  relay = new OutboxRelay(database.options, unitOfWork, publisher, database.metrics, database.logger, {
    tellOwnRelay: () => undefined,
  });
  await topology.ensureConsumer(consumer);
  relay.start();
  runner.run(consumer, added, (messages) => {
    if (isBroken) throw notFound('project_not_found', 'It is gone.');
    handled.push(...messages.map(({ payload }) => payload.n));
    return Promise.resolve();
  });
});

afterAll(async () => {
  await runner.beforeApplicationShutdown();
  await relay.stop();
  await manager.streams.delete(stream.name);
  await link.close();
  await database.drop();
});

beforeEach(() => {
  handled = [];
  isBroken = true;
});

afterEach(() => database.query(`TRUNCATE spec.dead_letters, spec.outbox`));

const run = promisify(execFile);

/** The command as an operator gives it. @returns the lines that it says */
async function deadLetters(...args: string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['tools/dead-letters.mjs', ...args], {
    env: { ...process.env, DATABASE_URL: database.url },
  });
  return stdout.trim().split('\n');
}

const refused = async (...args: string[]): Promise<string> =>
  deadLetters(...args).then(
    (lines) => `It was not refused: ${lines.join()}`,
    (error: unknown) => (error as { stderr: string }).stderr.trim(),
  );

const stored = (): Promise<{ id: string; consumer: string; message_id: string; payload: string }[]> =>
  database.query(`SELECT id, consumer, message_id, payload FROM spec.dead_letters ORDER BY created_at, id`);

async function giveUp(...numbers: number[]): Promise<string[]> {
  for (const n of numbers) await publisher.publish(added, { n }, { id: `${Date.now()}-${n}` });
  await eventually(async () => (await stored()).length === numbers.length, { what: 'they are given up' });
  return (await stored()).map(({ id }) => id);
}

/** A letter that no message of this test became. */
const letterOf = (values: { consumer: string; payload: string }): Promise<void> =>
  letters.store({
    stream: stream.name,
    subject: added.subject,
    messageId: values.consumer,
    reason: 'no',
    deliveries: 1,
    ...values,
  });

test('what was given up is handled once its reason is mended, and waits no longer', async () => {
  const [id = ''] = await giveUp(13);
  expect(await deadLetters('list')).toEqual([
    expect.stringMatching(new RegExp(`^${id}  20\\S+Z  ${consumer.name}  project_not_found: It is gone.$`)),
    '1 dead letters.',
  ]);
  isBroken = false;
  expect(await deadLetters('replay', id)).toEqual(['Put 1 into the outbox, from where they are sent again.']);
  await eventually(() => handled.length === 1, { what: 'it is handled' });
  expect(handled).toEqual([13]);
  expect(await stored()).toEqual([]);
});

test('what fails again is a letter of its own, which names the one that it was', async () => {
  const [first] = await giveUp(1);
  await deadLetters('replay', first ?? '');
  await eventually(async () => (await stored())[0]?.message_id === first, { what: 'it is given up again' });
  const [again] = await stored();
  expect(again).toMatchObject({ consumer: consumer.name, payload: '{"n": 1}' });
  expect(again?.id).not.toBe(first);
});

test('all letters of one consumer are replayed, and those of no other', async () => {
  await giveUp(1, 2, 3);
  await letterOf({ consumer: 'another', payload: '{"n":4}' });
  isBroken = false;
  await deadLetters('replay', '--consumer', consumer.name);
  await eventually(() => handled.length === 3, { what: 'they are handled' });
  expect(handled.sort()).toEqual([1, 2, 3]);
  expect(await stored()).toMatchObject([{ consumer: 'another' }]);
});

test('a letter is shown with its body, and dropped for good', async () => {
  await letterOf({ consumer: 'another', payload: '{"n":4}' });
  const [{ id } = { id: '' }] = await stored();
  const shown = JSON.parse((await deadLetters('show', id)).join('\n')) as object;
  expect(shown).toMatchObject({
    schema: 'spec',
    id,
    subject: added.subject,
    payload: '{"n":4}',
    reason: 'no',
  });
  expect(await deadLetters('drop', id)).toEqual(['Dropped 1.']);
  expect(await stored()).toEqual([]);
});

test('a letter about an event of another service is replayed by that service, which alone may publish it', async () => {
  await database.query(`CREATE SCHEMA episodic`);
  for (const table of ['dead_letters', 'outbox']) {
    await database.query(`CREATE TABLE episodic.${table} (LIKE spec.${table} INCLUDING ALL)`);
  }
  try {
    await letterOf({ consumer: 'another', payload: '{"n":4}' });
    const [{ id } = { id: '' }] = await stored();
    await deadLetters('replay', id);
    expect(await database.query(`SELECT id, subject, payload FROM episodic.outbox`)).toEqual([
      { id, subject: added.subject, payload: { n: 4 } },
    ]);
    expect(await stored()).toEqual([]);
  } finally {
    await database.query(`DROP SCHEMA episodic CASCADE`);
  }
});

test('an id that is not there is refused, and the others are left as they were', async () => {
  await letterOf({ consumer: 'another', payload: '{"n":4}' });
  const before = await stored();
  for (const command of ['show', 'replay', 'drop']) {
    expect(await refused(command, before[0]?.id ?? '', STRANGER)).toBe(
      `There is no dead letter ${STRANGER}.`,
    );
  }
  expect(await stored()).toEqual(before);
  expect(await database.query(`SELECT id FROM spec.outbox`)).toEqual([]);
});

test('a body that is no JSON cannot be replayed, only dropped', async () => {
  await letterOf({ consumer: 'another', payload: 'a\0b' });
  const [{ id } = { id: '' }] = await stored();
  expect(await refused('replay', '--consumer', 'another')).toBe(`The payload is not JSON in ${id}: drop it.`);
  expect(await deadLetters('drop', id)).toEqual(['Dropped 1.']);
});

test.each([
  { args: [] },
  { args: ['lsit'] },
  { args: ['list', STRANGER] },
  { args: ['replay'] },
  { args: ['replay', '--all'] },
  { args: ['drop', '--consumer'] },
])('what makes no sense is answered with how it is used: $args', async ({ args }) => {
  expect(await refused(...args)).toMatch(/^Usage: DATABASE_URL=/);
});

test('a database without services is refused with a sentence', async () => {
  const empty = await TestDatabase.create();
  const answer = run(process.execPath, ['tools/dead-letters.mjs', 'list'], {
    env: { ...process.env, DATABASE_URL: empty.url },
  });
  await expect(answer).rejects.toMatchObject({ stderr: expect.stringContaining('holds no schema of Loci') });
  await empty.drop();
});
