import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Metrics } from '@loci/platform';
import { RecordingLogger } from '@loci/testing';
import { type VectorCollections } from '../collections/vector-collections.js';
import { type IndexMarksRepository } from '../content/index-marks.repository.js';
import { type IndexVersionsRepository } from '../index-versions/index-versions.repository.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { type ComparisonsRepository } from './comparisons.repository.js';
import { LostIndexes } from './lost-indexes.js';

const COLLECTION = { fingerprint: 'one', dimensions: 4, isInUse: true, isToCompare: true };
const CONFIRMATIONS = 3;

let exists: boolean;
/** Rows that have their vectors in the collection. */
let indexed: number;
let counted: number;
let metrics: Metrics;

beforeEach(() => {
  [exists, indexed, counted, metrics] = [true, 10, 0, new Metrics('spec')];
});

afterEach(() => {
  jest.useRealTimers();
});

function lostIndexes(maxVectors: number, spanMs = 0): LostIndexes {
  const marks = {
    holdsMoreThan: (_: string, count: number) => {
      counted += 1;
      return Promise.resolve(indexed > count);
    },
    markAllLost: () => {
      const marked = indexed;
      indexed = 0;
      return Promise.resolve({ marked, last: marked > 0 ? 'last' : undefined });
    },
  } as unknown as IndexMarksRepository;
  const vectors = {
    get: ({ fingerprint }: { readonly fingerprint: string }) => ({
      exists: () =>
        fingerprint === 'refused' ? Promise.reject(new Error('Refused.')) : Promise.resolve(exists),
      isLossCredible: () => Promise.resolve(true),
      ensureCollection: () => Promise.resolve((exists = true)),
    }),
  } as unknown as VectorCollections;
  const nothing = (): Promise<void> => Promise.resolve();
  const env = Object.assign(new VectorServiceEnv(), {
    INDEX_LOSS_CONFIRMATIONS: CONFIRMATIONS,
    INDEX_LOSS_SPAN_MS: spanMs,
    INDEX_REBUILD_MAX_VECTORS: maxVectors,
  });
  return new LostIndexes(
    marks,
    { restart: nothing } as unknown as IndexVersionsRepository,
    { begin: nothing } as unknown as ComparisonsRepository,
    vectors,
    env,
    new RecordingLogger(),
    metrics,
  );
}

async function look(lost: LostIndexes, times: number): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await lost.replace([COLLECTION]));
  return answers;
}

const told = async (): Promise<string | undefined> =>
  /^vector_indexes_lost.* (\d+)$/m.exec(await metrics.render())?.[1];

test('a lost index is built again once its loss is believed', async () => {
  const lost = lostIndexes(10);
  await look(lost, 1);
  exists = false;
  expect(await look(lost, CONFIRMATIONS)).toEqual([false, false, true]);
  expect({ exists, indexed }).toEqual({ exists: true, indexed: 0 });
});

test('its loss is believed in time where the clock of the machine is set back meanwhile', async () => {
  jest.useFakeTimers();
  const lost = lostIndexes(10, 20_000);
  exists = false;
  await look(lost, CONFIRMATIONS);
  jest.setSystemTime(Date.now() - 3_600_000);
  expect(await look(lost, 1)).toEqual([false]);
  jest.advanceTimersByTime(20_000);
  expect(await look(lost, 1)).toEqual([true]);
});

test('answers that it is missing count in a row only', async () => {
  const lost = lostIndexes(10);
  await look(lost, 1);
  for (let outage = 0; outage < CONFIRMATIONS; outage += 1) {
    exists = false;
    expect(await look(lost, 1)).toEqual([false]);
    exists = true;
    await look(lost, 1);
  }
  expect(indexed).toBe(10);
});

test('one that is too large waits, is told of, and is counted once', async () => {
  const lost = lostIndexes(9);
  exists = false;
  expect(await look(lost, 3 * CONFIRMATIONS)).not.toContain(true);
  expect({ exists, indexed, counted }).toEqual({ exists: false, indexed: 10, counted: 1 });
  expect(await told()).toBe('1');
});

test('one that waited and is back is used as it is', async () => {
  const lost = lostIndexes(9);
  exists = false;
  await look(lost, CONFIRMATIONS);
  exists = true;
  expect(await look(lost, 2)).toEqual([false, false]);
  expect(indexed).toBe(10);
  expect(await told()).toBe('0');
});

test('one that Qdrant refuses keeps no other waiting, and is told of', async () => {
  const lost = lostIndexes(10);
  await look(lost, 1);
  exists = false;
  const both = [{ ...COLLECTION, fingerprint: 'refused' }, COLLECTION];
  for (let time = 0; time < CONFIRMATIONS; time += 1) {
    await expect(lost.replace(both)).rejects.toThrow('Refused.');
  }
  expect({ exists, indexed }).toEqual({ exists: true, indexed: 0 });
});
