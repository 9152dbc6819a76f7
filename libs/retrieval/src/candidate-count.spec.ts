import { expect, test } from '@jest/globals';
import { candidatesFor } from './candidate-count.js';

test.each([
  [1, 50],
  [10, 50],
  [25, 50],
  [26, 52],
  [50, 100],
])('a search for %i hits looks at %i candidates in their dialogue', (topK, candidates) => {
  expect(candidatesFor(topK)).toBe(candidates);
});
