import { afterEach, describe, expect, test } from '@jest/globals';
import { type EmbedPriority } from '../embedder.js';
import { EmbeddingBatch } from './embedding-batch.js';
import { EmbeddingQueue } from './embedding-queue.js';
import { InferencePool } from './inference-pool.js';
import { InferenceThread } from './inference-thread.js';

/** A real thread without a model: the "vector" of a text is its length; `crash` ends the thread. */
const ECHO = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (texts) => {
    if (texts.includes('crash')) process.exit(1);
    if (texts.includes('fail')) parentPort.postMessage({ error: 'no such luck' });
    else if (!texts.includes('hang')) parentPort.postMessage({ vectors: Float32Array.from(texts, (text) => text.length) });
  });
  parentPort.postMessage({ ready: true });`;

const REFUSES_TO_START = 'throw new Error("no model here")';

const refused = expect.objectContaining({ code: 'embedder_unavailable', kind: 'unavailable' });

const SLICE = { texts: 2, characters: 1000 };

const pools: InferencePool[] = [];

function poolOf(source: string): InferencePool {
  const script = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const queue = new EmbeddingQueue({
    maxWaitingTexts: { query: 10, unindexed: 10, index: 100 },
    slice: { query: SLICE, unindexed: SLICE, index: SLICE },
  });
  const pool = new InferencePool(queue, () => new InferenceThread(script, undefined));
  pools.push(pool);
  return pool;
}

async function startedPool(threads = 1): Promise<InferencePool> {
  const pool = poolOf(ECHO);
  await pool.start(threads);
  return pool;
}

async function lengthsFrom(
  pool: InferencePool,
  texts: string[],
  priority: EmbedPriority = 'index',
  signal?: AbortSignal,
): Promise<number[]> {
  const vectors = await pool.run(new EmbeddingBatch(texts, priority), signal);
  return vectors.map(([length]) => length ?? NaN);
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

test('answers in the sequence of the texts, whichever thread embedded them', async () => {
  const pool = await startedPool(2);
  const texts = Array.from({ length: 50 }, (_, index) => 'x'.repeat(index));
  expect(await lengthsFrom(pool, texts)).toEqual(texts.map((text) => text.length));
});

test('a query is answered before index work that came earlier', async () => {
  const pool = await startedPool();
  const answered: string[] = [];
  await Promise.all([
    lengthsFrom(
      pool,
      Array.from({ length: 100 }, () => 'text'),
    ).then(() => answered.push('index')),
    lengthsFrom(pool, ['who?'], 'query').then(() => answered.push('query')),
  ]);
  expect(answered).toEqual(['query', 'index']);
});

describe('a thread that crashes', () => {
  test('fails the batch that it was at with embedder_unavailable, and no other', async () => {
    const pool = await startedPool();
    const [crashed, other] = await Promise.allSettled([
      lengthsFrom(pool, ['crash', 'a', 'b', 'c']),
      lengthsFrom(pool, ['four']),
    ]);
    expect(crashed).toEqual({ status: 'rejected', reason: refused });
    expect(other).toEqual({ status: 'fulfilled', value: [4] });
  });

  test('is replaced, as often as it takes', async () => {
    const pool = await startedPool();
    for (let crashes = 0; crashes < 3; crashes += 1) {
      await expect(lengthsFrom(pool, ['crash'])).rejects.toEqual(refused);
      expect(await lengthsFrom(pool, ['alive'])).toEqual([5]);
    }
  });
});

test('of queries that are given to a thread together, each has its own vector, and one that fails fails alone', async () => {
  const pool = await startedPool();
  const busy = lengthsFrom(pool, ['busy']);
  const answers = await Promise.allSettled(
    ['a', 'fail', 'crash', 'ccc'].map((text) => lengthsFrom(pool, [text], 'query')),
  );
  expect(answers).toEqual([
    { status: 'fulfilled', value: [1] },
    { status: 'rejected', reason: refused },
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: [3] },
  ]);
  expect(await busy).toEqual([4]);
});

test('a failure on one text leaves the thread at work', async () => {
  const pool = await startedPool();
  await expect(lengthsFrom(pool, ['fail'])).rejects.toEqual(refused);
  expect(await lengthsFrom(pool, ['alive'])).toEqual([5]);
});

describe('giving up', () => {
  test('rejects with the reason of the signal, at once', async () => {
    const pool = await startedPool();
    const controller = new AbortController();
    const answer = lengthsFrom(pool, ['hang'], 'query', controller.signal);
    const reason = new Error('the deadline is over');
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  test('takes the remaining texts off the queue', async () => {
    const pool = await startedPool();
    const controller = new AbortController();
    const answer = lengthsFrom(pool, ['a', 'b', 'crash'], 'index', controller.signal);
    controller.abort();
    await expect(answer).rejects.toBe(controller.signal.reason);
    expect(await lengthsFrom(pool, ['alive'])).toEqual([5]);
  });

  test('before the call asks for nothing', async () => {
    const pool = await startedPool();
    await expect(lengthsFrom(pool, ['crash'], 'index', AbortSignal.abort('late'))).rejects.toBe('late');
    expect(await lengthsFrom(pool, ['alive'])).toEqual([5]);
  });
});

test('a pool whose threads refuse to start says why and leaves nothing running', async () => {
  await expect(poolOf(REFUSES_TO_START).start(2)).rejects.toMatchObject({
    code: 'embedder_unavailable',
    cause: { message: 'no model here' },
  });
});

test('closing refuses the work under way', async () => {
  const pool = await startedPool();
  const answer = lengthsFrom(pool, ['hang', 'a', 'b']);
  const verdict = expect(answer).rejects.toEqual(refused);
  await pool.close();
  await verdict;
});
