import { expect, test } from '@jest/globals';
import { countInWords, isNone } from './counted.js';

test('of more messages than can be counted it says that there are at least so many', () => {
  expect(countInWords({ count: 1_200_000 })).toBe('1,200,000');
  expect(countInWords({ count: 1_200_000, at_least: true })).toBe('at least 1,200,000');
});

test('a project has none only where all were counted', () => {
  expect(isNone({ count: 0 })).toBe(true);
  expect(isNone({ count: 0, at_least: true })).toBe(false);
  expect(isNone({ count: 1 })).toBe(false);
  expect(isNone(undefined)).toBe(false);
});
