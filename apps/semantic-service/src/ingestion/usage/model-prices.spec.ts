import { expect, test } from '@jest/globals';
import { costOf, pricesIn } from './model-prices.js';

test('a call costs its tokens at the prices of the model', () => {
  const prices = pricesIn({ input_price_per_million: 3, output_price_per_million: 15 });
  expect(prices && costOf({ inputTokens: 2_000, outputTokens: 100 }, prices)).toBeCloseTo(0.0075, 9);
});

test('a price that is not given is nothing; without any, the cost is not known', () => {
  expect(pricesIn({ output_price_per_million: 1 })).toEqual({ inputPerMillion: 0, outputPerMillion: 1 });
  expect(pricesIn({ model: 'gpt' })).toBeUndefined();
});
