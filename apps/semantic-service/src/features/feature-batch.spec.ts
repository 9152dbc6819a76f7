import { expect, test } from '@jest/globals';
import { type Instant } from '@loci/contracts';
import { FeatureBatch } from './feature-batch.js';
import { type FeatureRecord } from './feature.js';
import { TRUSTED } from './partition.js';

const record = (uid: string, fields: Partial<FeatureRecord>): FeatureRecord => ({
  uid,
  setUid: 'set',
  orgId: 'acme',
  projectUid: 'project',
  category: 'home',
  tag: 'home',
  name: 'city',
  value: 'Oslo',
  metadata: {},
  byClient: false,
  citations: [],
  origin: { kind: 'ingestion' },
  recordedAt: '2024-01-01' as Instant,
  ...TRUSTED,
  ...fields,
});

const until = (at: string) => [{ bound: 'until', at: at as Instant, precision: 'day' } as const];

test.each([
  ['as both are to be', true],
  ['one as it was when the other is written', false],
])('what contradicts two that become one follows them: %s', (_, isLifted) => {
  const contradicts = ['c'];
  const a = record('a', { contradicts, dates: until('2025-01-01') });
  const b = record('b', { contradicts, dates: until('2025-02-01') });
  const batch = new FeatureBatch([a, b, record('c', { value: 'Bergen', contradicts: ['a'] })]);
  const origin = { kind: 'ingestion', episodes: [] } as const;
  if (isLifted) batch.lift([a, b]);
  for (const one of [a, b]) batch.put({ ...one, dates: undefined }, one, origin);
  expect(batch.withUids(['a', 'b'])).toMatchObject([
    { uid: 'b', dates: isLifted ? undefined : until('2025-02-01') },
  ]);
  expect(batch.withUids(['c'])).toMatchObject([{ contradicts: ['b'] }]);
});

test('what a client wrote stays when something learned comes to say the same, and is named in its stead', () => {
  const byHand = record('hand', { byClient: true, metadata: { note: 'x' }, dates: until('2025-01-01') });
  const learned = record('learned', { contradicts: ['c'], isPinned: true });
  const other = record('c', { value: 'Bergen', contradicts: ['learned'] });
  const batch = new FeatureBatch([byHand, learned, other]);
  const origin = { kind: 'ingestion', episodes: [] } as const;
  expect(batch.put({ ...learned, dates: until('2025-01-01') }, learned, origin)).toBe('hand');
  expect(batch.withUids(['hand', 'learned'])).toEqual([{ ...byHand, isPinned: true, contradicts: ['c'] }]);
  expect(batch.withUids(['c'])).toMatchObject([{ contradicts: ['hand'] }]);
  expect(batch.touched.applied).toEqual({ added: [], updated: ['c', 'hand'], removed: ['learned'] });
});

test('what a client says of something learned counts, where it becomes one with what a client wrote', () => {
  const byHand = record('hand', { byClient: true, dates: until('2025-01-01') });
  const learned = record('learned', {});
  const batch = new FeatureBatch([byHand, learned]);
  const origin = { kind: 'client', episodes: [] } as const;
  const said = [
    ...until('2025-01-01'),
    { bound: 'from', at: '2012-01-01' as Instant, precision: 'year' } as const,
  ];
  batch.put({ ...learned, dates: said, isSingleValued: true }, learned, origin);
  const [kept] = batch.withUids(['hand', 'learned']);
  expect(kept).toMatchObject({ uid: 'hand', byClient: true, isSingleValued: true });
  expect(kept?.dates).toEqual(expect.arrayContaining(said));
});
