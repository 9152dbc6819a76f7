import { beforeEach, expect, test } from '@jest/globals';
import { type WorkLeases } from '@loci/persistence';
import { RecordingLogger } from '@loci/testing';
import { type VectorCollections } from '../collections/vector-collections.js';
import { FIRST_UID } from '../index-versions/indexed-table.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import {
  type ComparisonProgress,
  type ComparisonsRepository,
  type ComparisonTurn,
} from './comparisons.repository.js';
import { type IndexComparison } from './index-comparison.js';
import { IndexReconciler } from './index-reconciler.js';

const COLLECTIONS = ['one', 'two'].map((fingerprint) => ({
  fingerprint,
  dimensions: 4,
  isInUse: true,
  isToCompare: true,
}));

const env = Object.assign(new VectorServiceEnv(), {
  SWEEP_INTERVAL_MS: 50,
  RECONCILE_CHECK_INTERVAL_MS: 30_000,
});

let turn: Pick<ComparisonTurn, 'from' | 'differs' | 'isDue'>;
/** Differences that the sample finds, and each slice. */
let found: { sample: number; slice: number; renewed?: number };
/** What follows a slice. */
let nextOf: (from: string) => string | undefined;
let compared: string[];
let noted: (ComparisonProgress & { fingerprint: string })[];
let setAside: string[];
let taken: string[];

beforeEach(() => {
  turn = { from: undefined, differs: false, isDue: false };
  found = { sample: 0, slice: 0 };
  nextOf = () => undefined;
  [compared, noted, setAside, taken] = [[], [], [], []];
});

async function reconcile(collections = COLLECTIONS, signal = new AbortController().signal): Promise<void> {
  const comparison = {
    sample: () => Promise.resolve({ differences: found.sample, renewed: found.renewed ?? 0 }),
    compare: ({ fingerprint }: { fingerprint: string }, from: string) => {
      compared.push(`${fingerprint} ${from}`);
      return Promise.resolve({
        removed: found.slice,
        lost: 0,
        renewed: found.renewed ?? 0,
        next: nextOf(from),
      });
    },
  } as unknown as IndexComparison;
  const comparisons = {
    claim: (fingerprint: string) =>
      Promise.resolve(taken.includes(fingerprint) ? undefined : { fingerprint, token: 't', ...turn }),
    note: ({ fingerprint }: ComparisonTurn, progress: ComparisonProgress) =>
      Promise.resolve(void noted.push({ fingerprint, ...progress })),
  } as unknown as ComparisonsRepository;
  const leases = {
    claim: (kind: string, key: string) =>
      Promise.resolve(setAside.includes(key) ? undefined : { kind, key, token: '1', unfinished: 0 }),
    end: () => Promise.resolve(),
    isSetAside: (_: string, key: string) => Promise.resolve(setAside.includes(key)),
  } as unknown as WorkLeases;
  const vectors = { get: () => ({ exists: () => Promise.resolve(true) }) } as unknown as VectorCollections;
  const logger = new RecordingLogger();
  await new IndexReconciler(comparison, comparisons, vectors, leases, env, logger).reconcile(
    collections,
    signal,
  );
}

const one = COLLECTIONS.slice(0, 1);
const resting = { isComplete: false, differs: false, from: undefined, pauseMs: 30_000 };

test('a collection whose comparison was set aside is left out; the others are compared', async () => {
  setAside = ['one'];
  await reconcile();
  expect(noted).toEqual([{ fingerprint: 'two', ...resting }]);
});

test('a turn that another worker took is left to it', async () => {
  taken = ['two'];
  await reconcile();
  expect(noted.map(({ fingerprint }) => fingerprint)).toEqual(['one']);
});

test('where it is not time, no turn is asked for', async () => {
  await reconcile(one.map((collection) => ({ ...collection, isToCompare: false })));
  expect(noted).toEqual([]);
});

test('as long as nothing is due and nothing differs, a sample is all that is compared', async () => {
  await reconcile(one);
  expect(compared).toEqual([]);
  expect(noted).toEqual([{ fingerprint: 'one', ...resting }]);
});

test('what is due is compared from its beginning, a little in each turn', async () => {
  turn = { ...turn, isDue: true };
  nextOf = (from) => `${from}+`;
  await reconcile(one);
  expect(compared[0]).toBe(`one ${FIRST_UID}`);
  expect(noted).toEqual([
    {
      fingerprint: 'one',
      isComplete: false,
      differs: false,
      from: expect.stringMatching(/\+$/),
      pauseMs: env.SWEEP_INTERVAL_MS,
    },
  ]);
});

test('a comparison goes on where the last turn ended, and ends with everything compared', async () => {
  turn = { ...turn, from: 'there' };
  await reconcile(one);
  expect(compared).toEqual(['one there']);
  expect(noted).toEqual([{ fingerprint: 'one', ...resting, isComplete: true }]);
});

test('a sample that differs has everything compared, at once and without pauses', async () => {
  found = { sample: 3, slice: 0 };
  nextOf = (from) => `${from}+`;
  await reconcile(one);
  expect(compared[0]).toBe(`one ${FIRST_UID}`);
  expect(noted).toMatchObject([{ isComplete: false, differs: true, pauseMs: 0 }]);
});

test('where a sample finds points of an older recipe, all are looked at, with pauses', async () => {
  found = { sample: 0, slice: 0, renewed: 3 };
  nextOf = (from) => `${from}+`;
  await reconcile(one);
  expect(compared[0]).toBe(`one ${FIRST_UID}`);
  expect(noted).toMatchObject([{ isComplete: false, differs: false, pauseMs: env.SWEEP_INTERVAL_MS }]);
});

test('a comparison that found a difference goes on without pauses until all is compared', async () => {
  turn = { from: 'there', differs: true, isDue: false };
  nextOf = (from) => `${from}+`;
  await reconcile(one);
  expect(noted).toMatchObject([{ differs: true, pauseMs: 0 }]);
  nextOf = () => undefined;
  await reconcile(one);
  expect(noted.at(-1)).toMatchObject({ ...resting, isComplete: true });
});

test('a worker that stops keeps what it has compared', async () => {
  turn = { from: 'there', differs: true, isDue: false };
  await reconcile(one, AbortSignal.abort());
  expect(compared).toEqual([]);
  expect(noted).toMatchObject([{ from: 'there', isComplete: false }]);
});
