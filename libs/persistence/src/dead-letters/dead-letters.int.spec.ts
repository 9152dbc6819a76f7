import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SpecDatabase } from '../../test/spec-database.js';
import { DeadLetters } from './dead-letters.js';

const letter = {
  stream: 'EVT_SPEC',
  consumer: 'spec-consumer',
  subject: 'evt.spec.v1.things.added',
  messageId: 'm1',
  payload: '{"n":1}',
  reason: 'invalid_request: no',
  deliveries: 1,
};

let database: SpecDatabase;
let letters: DeadLetters;

beforeAll(async () => {
  database = await SpecDatabase.create();
  letters = new DeadLetters(database.options, await database.open(), database.metrics);
});

afterAll(() => database.drop());

beforeEach(() => database.query(`TRUNCATE spec.dead_letters`));

const stored = (): Promise<object[]> =>
  database.query(
    `SELECT stream, consumer, subject, message_id AS "messageId", payload, reason, deliveries FROM spec.dead_letters`,
  );

test('keeps all that is needed to look into a message and to replay it', async () => {
  await letters.store(letter);
  expect(await stored()).toEqual([letter]);
});

test('the same message of the same consumer is kept once, as it was seen last', async () => {
  await letters.store(letter);
  await letters.store({ ...letter, reason: 'internal_error: oops', deliveries: 2 });
  await letters.store({ ...letter, consumer: 'another' });
  expect(await stored()).toEqual([
    { ...letter, reason: 'internal_error: oops', deliveries: 2 },
    { ...letter, consumer: 'another' },
  ]);
});

test('what waits is counted by consumer, until it is replayed or dropped', async () => {
  const waiting = async (): Promise<string[]> =>
    (await database.metrics.render())
      .split('\n')
      .filter((line) => line.startsWith('dead_letters_waiting{'))
      .map(
        (line) =>
          `${/consumer="(?<name>[^"]+)"/.exec(line)?.groups?.['name'] ?? ''} ${line.split(' ').at(-1) ?? ''}`,
      )
      .sort();
  expect(await waiting()).toEqual([]);
  for (const messageId of ['m1', 'm2']) await letters.store({ ...letter, messageId });
  await letters.store({ ...letter, consumer: 'another' });
  expect(await waiting()).toEqual(['another 1', 'spec-consumer 2']);
  await database.query(`DELETE FROM spec.dead_letters WHERE consumer = 'another'`);
  expect(await waiting()).toEqual(['spec-consumer 2']);
});

test('takes a body that is no JSON, and even one with NUL in it', async () => {
  await letters.store({ ...letter, payload: 'a\0b' });
  expect(await stored()).toEqual([{ ...letter, payload: 'a\uFFFDb' }]);
});
