import { expect, test } from '@jest/globals';
import { type Instant } from '@loci/contracts';
import { processorMicros } from '@loci/testing';
import { ADDED_FIRST, specCitation } from '../../test/semantic-spec.js';
import { type FeatureRecord } from './feature.js';
import { citedBy } from './feature-states.js';

const citing = (count: number) =>
  Array.from({ length: count }, (_, index) => specCitation('p', `episode ${index}`));

test('a citation is one of a feature when episode and incarnation are the same', () => {
  const isCited = citedBy({ citations: citing(2) } as unknown as FeatureRecord);
  expect(citing(3).map(isCited)).toEqual([true, true, false]);
  expect(isCited(specCitation('p', 'episode 1', '2031-01-01T00:00:00.000000Z' as Instant))).toBe(false);
  expect(citedBy(undefined)(specCitation('p', 'episode 1', ADDED_FIRST))).toBe(false);
});

test('ten thousand citations are compared with as many in a moment', async () => {
  const citations = citing(10_000);
  const others = citing(20_000).slice(10_000);
  const compare = (): void =>
    expect(others.some(citedBy({ citations } as unknown as FeatureRecord))).toBe(false);
  expect(await processorMicros(compare)).toBeLessThan(150_000);
});
