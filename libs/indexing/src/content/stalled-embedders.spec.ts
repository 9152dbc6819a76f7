import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { StalledEmbedders } from './stalled-embedders.js';

const STALLED_AFTER_MS = 5_000;
const TOO_LONG = { code: 'embedder_unavailable', message: "Embedder 'slow' takes too long." };

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

let embedders: StalledEmbedders;
/** Calls that were made, and how each is answered. */
let calls: { answer: () => void; fail: (error: Error) => void }[];

beforeEach(() => {
  embedders = new StalledEmbedders();
  calls = [];
});

const call = (): Promise<string> =>
  new Promise((resolve, reject) => calls.push({ answer: () => resolve('answered'), fail: reject }));

const use = (embedder = 'slow'): Promise<unknown> =>
  embedders.run(embedder, (watched) => watched(call)).catch((error: unknown) => error);

async function stall(): Promise<void> {
  const waiting = use();
  await jest.advanceTimersByTimeAsync(STALLED_AFTER_MS);
  expect(await waiting).toMatchObject(TOO_LONG);
}

test('what is answered in time is waited for, however often', async () => {
  const work = embedders.run('slow', async (watched) => {
    for (let n = 0; n < 3; n += 1) await watched(call);
    return 'done';
  });
  for (let n = 0; n < 3; n += 1) {
    await jest.advanceTimersByTimeAsync(STALLED_AFTER_MS - 1);
    calls[n]?.answer();
    await jest.advanceTimersByTimeAsync(0);
  }
  expect(await work).toBe('done');
  expect(jest.getTimerCount()).toBe(0);
});

test('an embedder that hangs is not waited for, and asked one thing at a time', async () => {
  await stall();
  expect(await use()).toMatchObject(TOO_LONG);
  expect(calls).toHaveLength(1);
  const other = use('other');
  calls[1]?.answer();
  expect(await other).toBe('answered');
});

test('what it answers late is taken, and it is waited for again once it has answered in time', async () => {
  await stall();
  calls[0]?.answer();
  await jest.advanceTimersByTimeAsync(0);
  expect(await use()).toMatchObject(TOO_LONG);
  expect(calls).toHaveLength(2);
  calls[1]?.answer();
  await jest.advanceTimersByTimeAsync(0);
  const waited = use();
  calls[2]?.answer();
  expect(await waited).toBe('answered');
});

test('it is tried again after a call that failed late, without being waited for', async () => {
  await stall();
  calls[0]?.fail(new Error('timed out'));
  await jest.advanceTimersByTimeAsync(0);
  expect(await use()).toMatchObject(TOO_LONG);
  expect(calls).toHaveLength(2);
});

test('a failure in time is told as it is', async () => {
  const refusal = new Error('refused');
  const waiting = use();
  calls[0]?.fail(refusal);
  expect(await waiting).toBe(refusal);
});
