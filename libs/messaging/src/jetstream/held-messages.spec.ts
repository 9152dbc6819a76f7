import { expect, test } from '@jest/globals';
import { type HeldMessage, HeldMessages } from './held-messages.js';

const held = (seq: number, life = 'one'): HeldMessage => ({
  message: { seq } as HeldMessage['message'],
  life,
});
const seqs = (batch: readonly HeldMessage[] | undefined): number[] =>
  (batch ?? []).map(({ message }) => message.seq);

test('a batch is as large as allowed, in the order of arrival', async () => {
  const messages = new HeldMessages();
  for (const seq of [1, 2, 3]) messages.add(held(seq));
  expect(seqs(await messages.take(2, 0))).toEqual([1, 2]);
  expect(seqs(await messages.take(2, 0))).toEqual([3]);
  expect(messages.size).toBe(3);
});

test('a batch that is not full waits for what comes within its time', async () => {
  const messages = new HeldMessages();
  const batch = messages.take(3, 10_000);
  for (const seq of [1, 2, 3]) {
    messages.add(held(seq));
    await Promise.resolve();
  }
  expect(seqs(await batch)).toEqual([1, 2, 3]);
});

test('hands compete without taking a message twice', async () => {
  const messages = new HeldMessages();
  const batches = Promise.all([messages.take(1, 0), messages.take(1, 0)]);
  messages.add(held(1));
  messages.add(held(2));
  expect((await batches).flatMap(seqs).sort()).toEqual([1, 2]);
});

test('closing wakes the hands and returns what nobody took', async () => {
  const messages = new HeldMessages();
  const waiting = messages.take(5, 10_000);
  messages.add(held(1));
  messages.close();
  messages.add(held(2));
  expect(await waiting).toBeUndefined();
  expect(seqs(messages.untouched())).toEqual([1, 2]);
});

test('forgets waiting messages of another life', async () => {
  const messages = new HeldMessages();
  messages.add(held(1, 'old'));
  messages.add(held(1, 'new'));
  messages.dropWaitingNotOf('new');
  expect(messages.size).toBe(1);
  expect((await messages.take(5, 0))?.map(({ life }) => life)).toEqual(['new']);
});
