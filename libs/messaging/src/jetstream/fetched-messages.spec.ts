import { expect, test } from '@jest/globals';
import { type FetchedMessage, FetchedMessages } from './fetched-messages.js';

const fetched = (seq: number, consumerCreatedAt = 'one'): FetchedMessage => ({
  message: { seq } as FetchedMessage['message'],
  consumerCreatedAt,
});
const seqs = (batch: readonly FetchedMessage[] | undefined): number[] =>
  (batch ?? []).map(({ message }) => message.seq);

test('a batch is as large as allowed, oldest first', async () => {
  const messages = new FetchedMessages();
  for (const seq of [1, 2, 3]) messages.add(fetched(seq));
  expect(seqs(await messages.take(2, 0))).toEqual([1, 2]);
  expect(seqs(await messages.take(2, 0))).toEqual([3]);
  expect(messages.size).toBe(3);
});

test('a batch that is not full waits for what comes within its time', async () => {
  const messages = new FetchedMessages();
  const batch = messages.take(3, 10_000);
  for (const seq of [1, 2, 3]) {
    messages.add(fetched(seq));
    await Promise.resolve();
  }
  expect(seqs(await batch)).toEqual([1, 2, 3]);
});

test('a batch that is not full waits for its moment, and one that is full does not', async () => {
  const messages = new FetchedMessages();
  messages.add(fetched(1));
  expect(seqs(await messages.take(2, 0, performance.now() - 1))).toEqual([1]);
  messages.add(fetched(2));
  const batch = messages.take(2, 0, performance.now() + 600_000);
  await Promise.resolve();
  messages.add(fetched(3));
  expect(seqs(await batch)).toEqual([2, 3]);
});

test('hands compete without taking a message twice', async () => {
  const messages = new FetchedMessages();
  const batches = Promise.all([messages.take(1, 0), messages.take(1, 0)]);
  messages.add(fetched(1));
  messages.add(fetched(2));
  expect((await batches).flatMap(seqs).sort()).toEqual([1, 2]);
});

test('closing wakes the workers and returns what they did not take', async () => {
  const messages = new FetchedMessages();
  const waiting = messages.take(5, 10_000);
  messages.add(fetched(1));
  messages.close();
  messages.add(fetched(2));
  expect(await waiting).toBeUndefined();
  expect(seqs(messages.untouched())).toEqual([1, 2]);
});

test('forgets waiting messages of an earlier consumer', async () => {
  const messages = new FetchedMessages();
  messages.add(fetched(1, 'old'));
  messages.add(fetched(1, 'new'));
  messages.dropWaitingNotOf('new');
  expect(messages.size).toBe(1);
  expect((await messages.take(5, 0))?.map(({ consumerCreatedAt }) => consumerCreatedAt)).toEqual(['new']);
});
