import { expect, test } from '@jest/globals';
import { instantFromDate, MAX_FEATURE_CITATIONS, MAX_FEATURE_METADATA_KEYS } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { specCitation } from '../../test/semantic-spec.js';
import { FeatureBatch } from './feature-batch.js';
import { joinedMetadata } from './feature-bounds.js';
import { byClient, featureOrigin } from './feature-origins.js';
import { type Citation, type FeatureRecord } from './feature.js';
import { TRUSTED } from './partition.js';

const ORIGIN = byClient();
const [projectUid, setUid] = [uuidv7(), uuidv7()];

/** Said one second after the other. */
const citationsFrom = (first: number, count: number): Citation[] =>
  Array.from({ length: count }, (_, index) => ({
    ...specCitation(projectUid),
    createdAt: instantFromDate(new Date((first + index) * 1_000)),
  }));

const saidBy = (citations: readonly Citation[], metadata: Record<string, string> = {}): FeatureRecord => ({
  uid: uuidv7(),
  ...{ setUid, orgId: 'acme', projectUid, ...TRUSTED },
  ...{ subject: 'alice', category: 'profile', tag: 'travel', name: 'seat', value: 'window', metadata },
  ...{ byClient: true, citations, dates: undefined, origin: featureOrigin(ORIGIN) },
  recordedAt: instantFromDate(new Date(0)),
});

const keysFrom = (first: number, count: number, value = 'x'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${first + index}`, value]));

test('what is said more often than a feature can cite cites what was said last', () => {
  const batch = new FeatureBatch([]);
  const earlier = citationsFrom(0, MAX_FEATURE_CITATIONS);
  const later = citationsFrom(MAX_FEATURE_CITATIONS, 3);
  const dates = earlier.slice(0, 5).map(({ episodeUid }) => ({
    ...({ bound: 'from', at: instantFromDate(new Date(0)), precision: 'day', episodeUid } as const),
  }));
  batch.put({ ...saidBy(earlier), dates }, undefined, ORIGIN);
  batch.put(saidBy(later), undefined, ORIGIN);
  const [feature, ...others] = batch.saved;
  expect(others).toEqual([]);
  expect(feature?.citations).toEqual([...earlier.slice(3), ...later]);
  expect(feature?.dates).toEqual(dates.slice(3));
});

test('a feature that becomes one with another keeps as many keys as it can have, the last ones', () => {
  const batch = new FeatureBatch([]);
  batch.put(saidBy([], keysFrom(0, 990)), undefined, ORIGIN);
  batch.put(saidBy([], keysFrom(990, 20)), undefined, ORIGIN);
  expect(batch.saved[0]?.metadata).toEqual(keysFrom(10, MAX_FEATURE_METADATA_KEYS));
});

test('what the later one says is kept whole, however long it is', () => {
  const later = keysFrom(0, 64, 'x'.repeat(10_000));
  expect(joinedMetadata({ old: 'y' }, later)).toEqual(later);
});
