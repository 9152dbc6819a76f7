import { expect, test } from '@jest/globals';
import { fuse, scale } from './fusion.js';

const hits = (scores: Record<string, number>): { id: string; score: number }[] =>
  Object.entries(scores).map(([id, score]) => ({ id, score }));

test('each list is scaled by its own range, so that no list drowns the other', () => {
  const fused = fuse([
    { hits: hits({ a: 0.9, b: 0.8, c: 0.7 }), weight: 0.4 },
    { hits: hits({ b: 30, c: 10 }), weight: 0.6 },
  ]);
  expect(Object.fromEntries(fused)).toEqual({ a: 0.4, b: expect.closeTo(0.8), c: 0 });
});

test('a list of one, or of equals, counts in full', () => {
  expect(scale(hits({ a: 0.1 }))).toEqual([{ id: 'a', score: 1 }]);
  expect(scale(hits({ a: 5, b: 5 }))).toEqual(hits({ a: 1, b: 1 }));
});

test('nothing fused with nothing is nothing', () => {
  expect(fuse([{ hits: [], weight: 1 }]).size).toBe(0);
});
