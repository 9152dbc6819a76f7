import { expect, test } from '@jest/globals';
import { costOf, pricesIn } from './model-prices.js';

test('a call costs its tokens at the prices of the model', () => {
  const prices = pricesIn({ input_price_per_million: 3, output_price_per_million: 15 });
  expect(prices && costOf({ inputTokens: 2_000, outputTokens: 100 }, prices)).toBeCloseTo(0.0075, 9);
});

test('input that the provider had kept has a price of its own where one is given', () => {
  const used = { inputTokens: 2_000, cachedTokens: 1_500, outputTokens: 0 };
  const prices = pricesIn({ input_price_per_million: 4, cached_input_price_per_million: 1 });
  expect(prices && costOf(used, prices)).toBeCloseTo(0.0035, 9);
  const plain = pricesIn({ input_price_per_million: 4 });
  expect(plain && costOf(used, plain)).toBeCloseTo(0.008, 9);
});

test('a price that is not given is nothing; without any, the cost is not known', () => {
  expect(pricesIn({ output_price_per_million: 1 })).toEqual({
    inputPerMillion: 0,
    cachedPerMillion: 0,
    outputPerMillion: 1,
  });
  expect(pricesIn({ model: 'gpt' })).toBeUndefined();
});
