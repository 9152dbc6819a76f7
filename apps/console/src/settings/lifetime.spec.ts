import { describe, expect, test } from '@jest/globals';
import { lifetimeInWords, lifetimeOf, secondsOf } from './lifetime.js';

describe('how long messages live', () => {
  test.each([
    [0, { amount: '', unit: 'days' }, 'until they are deleted'],
    [2_592_000, { amount: '30', unit: 'days' }, '30 days at most'],
    [86_400, { amount: '1', unit: 'days' }, '1 day at most'],
    [5400, { amount: '90', unit: 'minutes' }, '90 minutes at most'],
    [7200, { amount: '2', unit: 'hours' }, '2 hours at most'],
    [90, { amount: '90', unit: 'seconds' }, '90 seconds at most'],
    [2_000_000_000, { amount: '2000000000', unit: 'seconds' }, '2,000,000,000 seconds at most'],
  ] as const)(
    '%d seconds are said in the largest unit of which they are a whole number',
    (seconds, said, words) => {
      expect(lifetimeOf(seconds)).toEqual(said);
      expect(secondsOf(lifetimeOf(seconds))).toBe(seconds);
      expect(lifetimeInWords(seconds)).toBe(words);
    },
  );

  test('no amount, or none but zero, is until they are deleted', () => {
    expect(secondsOf({ amount: '', unit: 'hours' })).toBe(0);
    expect(secondsOf({ amount: '0', unit: 'days' })).toBe(0);
  });
});
