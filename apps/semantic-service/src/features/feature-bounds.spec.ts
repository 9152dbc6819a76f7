import { expect, test } from '@jest/globals';
import {
  instantFromDate,
  MAX_CITATIONS_METADATA_CHARS,
  MAX_CITED_METADATA_CHARS,
  MAX_FEATURE_CITATIONS,
  MAX_FEATURE_METADATA_KEYS,
} from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { specCitation } from '../../test/semantic-spec.js';
import { citedMetadata } from './cited-metadata.js';
import { FeatureBatch } from './feature-batch.js';
import { joinedMetadata } from './feature-bounds.js';
import { byClient, featureOrigin } from './feature-origins.js';
import { type Citation, citationOf, type FeatureRecord } from './feature.js';
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

test('a citation keeps the user of a message and the shortest of its metadata, and all where they are short', () => {
  const short = { session_id: 's', user_id: 'ada', note: 'x'.repeat(1_000) };
  expect(citedMetadata(short)).toBe(short);
  const user_id = 'u'.repeat(8_192);
  const long = { ...keysFrom(0, 60, 'x'.repeat(8_192)), user_id, session_id: 's', note: 'y'.repeat(4_000) };
  const kept = { user_id, session_id: 's', note: long.note };
  expect(citationOf({ ...specCitation(projectUid), metadata: long }).metadata).toEqual(kept);
});

test('a feature whose citations have more metadata than it may have cites what was said last', () => {
  const batch = new FeatureBatch([]);
  const metadata = { note: 'x'.repeat(MAX_CITED_METADATA_CHARS - 4) };
  const fitting = Math.floor(MAX_CITATIONS_METADATA_CHARS / MAX_CITED_METADATA_CHARS);
  const citations = citationsFrom(0, fitting + 3).map((citation) => ({ ...citation, metadata }));
  batch.put(saidBy(citations.slice(0, 2)), undefined, ORIGIN);
  batch.put(saidBy(citations.slice(2)), undefined, ORIGIN);
  expect(batch.saved[0]?.citations).toEqual(citations.slice(3));
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
