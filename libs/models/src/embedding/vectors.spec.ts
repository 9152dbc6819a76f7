import { expect, test } from '@jest/globals';
import { checkVectors, listedReply, unitAverage, vectorsIn } from './vectors.js';

test('the average of vectors has length 1, also where they cancel each other out or are too large to be added', () => {
  expect([...unitAverage([[3, 4]])]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)]);
  expect([
    ...unitAverage([
      [0, 2],
      [0, -2],
    ]),
  ]).toEqual([0, 1]);
  expect([
    ...unitAverage([
      [1.5e308, 0],
      [1.5e308, 0],
    ]),
  ]).toEqual([1, 0]);
});

test.each([
  ['nothing but zeros', [0, 0]],
  ['a number that is none', [NaN, 1]],
  ['an endless number', [Infinity, 1]],
  ['no number at all', []],
  ['a text', ['1', 2]],
])('a vector with %s is the fault of the provider', (_, vector) => {
  expect(() => checkVectors([vector], 1)).toThrow('check model and address');
});

test('a vector that no index takes is refused before anything is indexed by it', () => {
  expect(checkVectors([Array<number>(65_536).fill(1)], 1)).toHaveLength(1);
  expect(() => checkVectors([Array<number>(65_537).fill(1)], 1)).toThrow('65537 dimensions');
});

test('a vector in which something is no number is none, and not one of fewer dimensions', () => {
  expect(vectorsIn([[1, null, 2]])).toEqual([[]]);
  expect(listedReply({ data: [{ index: 0, embedding: [1, '2'] }] }).vectors).toEqual([[]]);
});

test.each([null, [null], 'x', { data: [null, 1] }, { data: { 0: [] } }, { data: [], usage: null }])(
  'a reply without a list of vectors has none: %j',
  (body) => {
    expect(listedReply(body, 'prompt_tokens')).toEqual({ vectors: [], inputTokens: 0 });
  },
);
