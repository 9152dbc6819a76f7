import { expect, test } from '@jest/globals';
import { type EmbedPriority } from '../embedder.js';
import { EmbeddingBatch } from './embedding-batch.js';
import { EmbeddingQueue, type QueueLimits } from './embedding-queue.js';

const sliceOf = (texts: number): QueueLimits['slice'] => {
  const slice = { texts, characters: 10 };
  return { query: slice, unindexed: slice, index: slice };
};

const limits = { maxWaitingTexts: { query: 2, unindexed: 4, index: 5 }, slice: sliceOf(2) };

const many = { ...limits, maxWaitingTexts: { query: 10, unindexed: 10, index: 5 } };

const batchOf = (priority: EmbedPriority, ...texts: string[]): EmbeddingBatch =>
  new EmbeddingBatch(texts, priority);

const overloaded = expect.objectContaining({ code: 'embedder_unavailable', kind: 'unavailable' });

async function takeTexts(queue: EmbeddingQueue, slices: number): Promise<(readonly string[] | undefined)[]> {
  const taken: (readonly string[] | undefined)[] = [];
  for (let count = 0; count < slices; count += 1)
    taken.push((await queue.take())?.flatMap(({ texts }) => texts));
  return taken;
}

test('a query overtakes index work that is already under way', async () => {
  const queue = new EmbeddingQueue(limits);
  queue.add(batchOf('index', 'a', 'b', 'c', 'd'));
  expect(await takeTexts(queue, 1)).toEqual([['a', 'b']]);
  queue.add(batchOf('query', 'q'));
  expect(await takeTexts(queue, 2)).toEqual([['q'], ['c', 'd']]);
});

test('queries of several organizations take turns', async () => {
  const queue = new EmbeddingQueue({ ...many, slice: sliceOf(1) });
  for (const text of ['a1', 'a2', 'a3']) queue.add(new EmbeddingBatch([text], 'query', 'a'));
  for (const text of ['b1', 'b2']) queue.add(new EmbeddingBatch([text], 'query', 'b'));
  queue.add(new EmbeddingBatch(['c1'], 'query', 'c'));
  expect(await takeTexts(queue, 6)).toEqual([['a1'], ['b1'], ['c1'], ['a2'], ['b2'], ['a3']]);
});

test('a query overtakes what searches index, and goes apart from it, in a slice of its own size', async () => {
  const slice = { ...sliceOf(3), unindexed: { texts: 1, characters: 10 } };
  const queue = new EmbeddingQueue({ ...many, slice });
  queue.add(batchOf('index', 'work'));
  queue.add(batchOf('unindexed', 'a', 'b', 'c'));
  expect(await takeTexts(queue, 1)).toEqual([['a']]);
  for (const text of ['q', 'r']) queue.add(batchOf('query', text));
  expect(await takeTexts(queue, 4)).toEqual([['q', 'r'], ['b'], ['c'], ['work']]);
});

test('what searches of several organizations index takes turns, slice by slice', async () => {
  const queue = new EmbeddingQueue({ ...many, slice: sliceOf(1) });
  queue.add(new EmbeddingBatch(['a1', 'a2', 'a3'], 'unindexed', 'a'));
  queue.add(new EmbeddingBatch(['a4'], 'unindexed', 'a'));
  queue.add(new EmbeddingBatch(['b1', 'b2'], 'unindexed', 'b'));
  expect(await takeTexts(queue, 6)).toEqual([['a1'], ['b1'], ['a2'], ['b2'], ['a3'], ['a4']]);
});

test('queries without end do not keep what searches index waiting for ever', async () => {
  const queue = new EmbeddingQueue({ ...many, slice: sliceOf(1) });
  queue.add(batchOf('unindexed', 'a', 'b'));
  for (const text of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) queue.add(batchOf('query', text));
  const taken = (await takeTexts(queue, 11)).flat();
  expect(taken).toEqual(['1', '2', '3', '4', 'a', '5', '6', '7', '8', 'b', '9']);
});

test('pieces of index work take turns, slice by slice', async () => {
  const queue = new EmbeddingQueue(many);
  queue.add(batchOf('index', 'a1', 'a2', 'a3', 'a4'));
  queue.add(batchOf('index', 'b1'));
  expect(await takeTexts(queue, 3)).toEqual([['a1', 'a2'], ['b1'], ['a3', 'a4']]);
});

test('queries that wait are taken together, as many as fit, and index work apart from them', async () => {
  const queue = new EmbeddingQueue({ ...many, slice: sliceOf(3) });
  queue.add(batchOf('index', 'work'));
  for (const text of ['a', 'b', 'c', 'd', 'e'.repeat(20), 'f']) queue.add(batchOf('query', text));
  expect(await takeTexts(queue, 5)).toEqual([['a', 'b', 'c'], ['d'], ['e'.repeat(20)], ['f'], ['work']]);
});

test('a slice of several texts stays below the limit of characters; a long text goes alone', async () => {
  const queue = new EmbeddingQueue(limits);
  queue.add(batchOf('index', '123456', '12345', 'x'.repeat(50), 'y'));
  expect(await takeTexts(queue, 4)).toEqual([['123456'], ['12345'], ['x'.repeat(50)], ['y']]);
});

test('who waits for work gets it when it comes', async () => {
  const queue = new EmbeddingQueue(limits);
  const [first, second] = [queue.take(), queue.take()];
  queue.add(batchOf('index', 'a', 'b', 'c'));
  expect((await first)?.map(({ texts }) => texts)).toEqual([['a', 'b']]);
  expect((await second)?.map(({ texts }) => texts)).toEqual([['c']]);
});

test('a call that would exceed the bound is refused as a whole, and other priorities are not affected', () => {
  const queue = new EmbeddingQueue(limits);
  queue.add(batchOf('index', 'a', 'b', 'c'));
  expect(() => {
    queue.add(batchOf('index', 'd', 'e', 'f'));
  }).toThrow(overloaded);
  queue.add(batchOf('index', 'd', 'e'));
  queue.add(batchOf('unindexed', 'a', 'b', 'c', 'd'));
  queue.add(batchOf('query', 'q'));
});

test('room is free again once texts were handed out or their batch was removed', async () => {
  const queue = new EmbeddingQueue(limits);
  const removed = batchOf('query', 'q', 'r');
  queue.add(removed);
  queue.remove(removed);
  queue.add(batchOf('query', 's', 't'));
  expect(await takeTexts(queue, 1)).toEqual([['s', 't']]);
  queue.add(batchOf('query', 'u', 'v'));
  expect(await takeTexts(queue, 1)).toEqual([['u', 'v']]);
});

test('closing refuses what waits, what comes, and releases who waits for work', async () => {
  const idle = new EmbeddingQueue(limits);
  const waiting = idle.take();
  idle.close();
  expect(await waiting).toBeUndefined();
  expect(await idle.take()).toBeUndefined();

  const busy = new EmbeddingQueue(limits);
  const batch = batchOf('index', 'a');
  busy.add(batch);
  busy.close();
  await expect(batch.vectors).rejects.toEqual(overloaded);
  expect(() => {
    busy.add(batchOf('index', 'b'));
  }).toThrow(overloaded);
});
