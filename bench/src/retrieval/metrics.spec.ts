import { expect, test } from '@jest/globals';
import { average, judge, quantile } from './metrics.js';

test('recall is strict: half of the gold turns is a half, although the question is hit', () => {
  const { recall, hit } = judge(['x', 'a', 'y', 'z', 'w', 'b'], ['a', 'b']);
  expect(recall[5]).toBe(0.5);
  expect(hit[5]).toBe(1);
  expect(recall[10]).toBe(1);
});

test('the first gold turn decides the reciprocal rank', () => {
  expect(judge(['x', 'y', 'a', 'b'], ['a', 'b']).mrr).toBeCloseTo(1 / 3);
  expect(judge(['x'], ['a']).mrr).toBe(0);
});

test('the ideal order has an NDCG of 1, and a later rank is worth less', () => {
  expect(judge(['a', 'b', 'x'], ['b', 'a']).ndcg10).toBeCloseTo(1);
  expect(judge(['x', 'a'], ['a']).ndcg10).toBeCloseTo(1 / Math.log2(3));
});

test('averages weigh every question the same', () => {
  const { recall, mrr } = average([judge(['a'], ['a']), judge(['x'], ['a', 'b'])]);
  expect(recall[5]).toBe(0.5);
  expect(mrr).toBe(0.5);
});

test('a quantile is one of the values', () => {
  expect(quantile([5, 1, 3], 0.5)).toBe(3);
  expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
});
