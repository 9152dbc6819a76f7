import { expect, test } from '@jest/globals';
import { costOfPage } from './cost-of-page.js';

test.each([
  [0, 1],
  [100, 1],
  [500, 4],
  [1_000, 8],
])('a page of %d rows is worth %d', (pageSize, cost) => {
  expect(costOfPage({ pageSize })).toBe(cost);
});
