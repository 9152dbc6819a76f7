import { expect, test } from '@jest/globals';
import { featureScore } from './feature-score.js';

test('a score keeps the sequence of the sums, and nothing in common scores next to nothing', () => {
  const scores = [0, 0.2, 0.36, 0.7, 1].map(featureScore);
  expect(scores).toEqual([...scores].sort((a, b) => a - b));
  expect(scores[0]).toBeLessThan(0.05);
  expect(scores[2]).toBe(0.5);
  expect(scores.at(-1)).toBeGreaterThan(0.99);
});
