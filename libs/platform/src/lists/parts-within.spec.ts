import { expect, test } from '@jest/globals';
import { partsWithin } from './parts-within.js';

const parts = (sizes: readonly number[]): number[][] =>
  partsWithin(sizes, { maxSize: 10, sizeOf: (size) => size });

test('parts are as large as they may be, and what is larger by itself is one', () => {
  expect(parts([])).toEqual([]);
  expect(parts([4, 6, 1, 12, 0, 9, 2])).toEqual([[4, 6], [1], [12], [0, 9], [2]]);
});
