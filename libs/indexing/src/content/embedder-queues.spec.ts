import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type OpenIndexVersion } from '../index-versions/open-index-version.js';
import { type Failures, type OwnerRows } from './batch-indexer.js';
import { EmbedderQueues } from './embedder-queues.js';

const OTHERS_WAIT_MS = 500;
const STEP = 128;
const MOST_WAITING = 16_384;
const TOO_LONG = { code: 'embedder_unavailable', message: "Embedder 'slow' takes too long." };

/** Steps that an embedder was asked for, and how each ends. */
let steps: { rows: readonly OwnerRows[]; end: (failures?: Failures) => void; fail: (error: Error) => void }[];
let queues: EmbedderQueues;

beforeEach(() => {
  jest.useFakeTimers();
  steps = [];
  queues = new EmbedderQueues(
    (rows) =>
      new Promise((resolve, reject) =>
        steps.push({ rows, end: (failures = new Map()) => resolve(failures), fail: reject }),
      ),
  );
});

afterEach(() => {
  jest.useRealTimers();
});

const rowsOf = (ownerUid: string, count = 1, embedder = 'slow'): OwnerRows => ({
  open: { indexVersion: { ownerUid, embedder, fingerprint: embedder } } as OpenIndexVersion,
  uids: Array.from({ length: count }, (_, n) => `${ownerUid}/${n}`),
});

/** What came of it: failures, or what was thrown. */
const run = (...rows: OwnerRows[]): Promise<unknown> => queues.run(rows).catch((error: unknown) => error);
const pass = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const uidsOf = (step: number): string[] => steps[step]?.rows.flatMap(({ uids }) => uids) ?? [];

async function slowDown(): Promise<void> {
  const waiting = run(rowsOf('first'));
  await pass(OTHERS_WAIT_MS);
  expect(await waiting).toMatchObject(TOO_LONG);
}

test('what is done in time is waited for, and leaves no timer', async () => {
  const waiting = run(rowsOf('a'));
  await pass(OTHERS_WAIT_MS - 1);
  steps[0]?.end();
  expect(await waiting).toEqual(new Map());
  expect(jest.getTimerCount()).toBe(0);
});

test('a slow embedder is waited for once; what comes meanwhile is asked for by one call after the other', async () => {
  await slowDown();
  expect(await Promise.all([run(rowsOf('a')), run(rowsOf('b'))])).toMatchObject([TOO_LONG, TOO_LONG]);
  expect(steps).toHaveLength(1);
  const other = run(rowsOf('c', 1, 'other'));
  steps[1]?.end();
  expect(await other).toEqual(new Map());
  steps[0]?.end();
  await pass();
  expect(uidsOf(2)).toEqual(['a/0', 'b/0']);
});

test('it is waited for again when it has got through all, the last of it in time', async () => {
  await slowDown();
  steps[0]?.end();
  await pass();
  expect(await run(rowsOf('late'))).toMatchObject(TOO_LONG);
  await pass(OTHERS_WAIT_MS);
  steps[1]?.end();
  await pass();
  expect(await run(rowsOf('in time'))).toMatchObject(TOO_LONG);
  steps[2]?.end();
  await pass();
  const waiting = run(rowsOf('waited for'));
  steps[3]?.end();
  expect(await waiting).toEqual(new Map());
});

test('a call that failed late is followed by the next', async () => {
  await slowDown();
  expect(await run(rowsOf('a'))).toMatchObject(TOO_LONG);
  steps[0]?.fail(new Error('timed out'));
  await pass();
  expect(uidsOf(1)).toEqual(['a/0']);
});

test('each caller is told of the owners that are its own', async () => {
  await slowDown();
  steps[0]?.end();
  await pass();
  const refusal = new Error('refused');
  void run(rowsOf('slow still'));
  steps[1]?.end();
  await pass();
  const both = [run(rowsOf('before')), run(rowsOf('a')), run(rowsOf('b'))];
  steps[2]?.end();
  await pass();
  steps[3]?.end(new Map([['b', refusal]]));
  expect(await Promise.all(both)).toEqual([new Map(), new Map(), new Map([['b', refusal]])]);
});

test('an owner that failed is not gone on with', async () => {
  const waiting = run(rowsOf('large', 2 * STEP), rowsOf('small'));
  const refusal = new Error('refused');
  steps[0]?.end(new Map([['large', refusal]]));
  await pass();
  steps[1]?.end();
  await pass();
  steps[2]?.end();
  expect(await waiting).toEqual(new Map([['large', refusal]]));
  expect([uidsOf(0).length, uidsOf(1), uidsOf(2)]).toEqual([STEP, [], []]);
});

test('a failure in time is thrown as it is', async () => {
  const refusal = new Error('refused');
  const waiting = run(rowsOf('a'));
  steps[0]?.fail(refusal);
  expect(await waiting).toBe(refusal);
});

test('what is too much for a queue that gets on waits for the next step, and is not taken by one that does not', async () => {
  void run(rowsOf('large', MOST_WAITING));
  const waiting = run(rowsOf('a'));
  await pass(OTHERS_WAIT_MS - 1);
  steps[0]?.end();
  await pass(OTHERS_WAIT_MS);
  expect(await waiting).toMatchObject(TOO_LONG);
  void run(rowsOf('fills it up', STEP));
  await pass();
  expect(await run(rowsOf('left out'))).toMatchObject(TOO_LONG);
  for (let step = 1; steps[step]; step += 1) {
    steps[step]?.end();
    await pass();
  }
  const asked = new Set(steps.flatMap(({ rows }) => rows.map(({ open }) => open.indexVersion.ownerUid)));
  expect([...asked]).toEqual(['large', 'a', 'fills it up']);
});
