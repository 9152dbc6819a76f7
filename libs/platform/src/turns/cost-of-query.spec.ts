import { expect, test } from '@jest/globals';
import { costOfQuery } from './cost-of-query.js';

test.each([
  [10, 1],
  [100, 1],
  [1_000, 9],
])('a search that reads %d rows is worth %d', (topK, cost) => {
  expect(costOfQuery({ query: 'tea', topK })).toBe(cost);
});
