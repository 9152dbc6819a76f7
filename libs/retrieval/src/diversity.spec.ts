import { expect, test } from '@jest/globals';
import { diversify } from './diversity.js';

const hits = [
  { id: 'a', score: 1, atMs: 0 },
  { id: 'b', score: 0.95, atMs: 1_000 },
  { id: 'c', score: 0.6, atMs: 86_400_000 },
];

const idsOf = (diversity: number, count = 3): string[] =>
  diversify(hits, diversity, count).map(({ id }) => id);

test('without diversity the order stays', () => {
  expect(idsOf(0)).toEqual(['a', 'b', 'c']);
});

test('with it another moment comes before a second hit of the same', () => {
  expect(idsOf(0.5)).toEqual(['a', 'c', 'b']);
});

test('nothing is lost, however few are chosen', () => {
  expect(idsOf(0.5, 1)).toEqual(['a', 'b', 'c']);
});

test('whatever the number of hits, each choice looks at the best of them alone', () => {
  let looks = 0;
  const many = Array.from({ length: 24_000 }, (_, at) => ({
    id: `${at}`,
    get score() {
      looks += 1;
      return 1 - at / 24_000;
    },
    atMs: at * 1_000,
  }));
  expect(diversify(many, 0.3, 100)).toHaveLength(24_000);
  expect(looks).toBeLessThanOrEqual(100 * 4_000);
});
