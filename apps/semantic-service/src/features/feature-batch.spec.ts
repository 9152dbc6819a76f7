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
