import { expect, test } from '@jest/globals';
import { type ModelUsage } from '../language-model.js';
import { countedUsage } from './counted-usage.js';

test('what a provider says truly is counted as it is', () => {
  const usage = { inputTokens: 120, cachedTokens: 100, outputTokens: 0 };
  expect(countedUsage(usage)).toEqual(usage);
  expect(countedUsage({ inputTokens: 1, outputTokens: 2 })).toEqual({ inputTokens: 1, outputTokens: 2 });
});

test.each([-1, 0.5, 1e300, NaN, Infinity, '12', null, {}, [3], true])('%j counts as no token', (tokens) => {
  const usage = { inputTokens: tokens, cachedTokens: tokens, outputTokens: tokens } as ModelUsage;
  expect(countedUsage(usage)).toEqual({ inputTokens: 0, cachedTokens: 0, outputTokens: 0 });
});
