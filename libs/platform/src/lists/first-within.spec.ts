import { expect, test } from '@jest/globals';
import { firstWithin } from './first-within.js';

const sizeOf = (text: string): number => text.length;

test.each([
  [[], []],
  [['aaaaaa'], ['aaaaaa']],
  [['aaaaaa', 'b'], ['aaaaaa']],
  [
    ['aa', 'bbb', 'c'],
    ['aa', 'bbb'],
  ],
  [
    ['a', 'b', 'c', 'd'],
    ['a', 'b', 'c'],
  ],
])('of %j at most three items of five letters in all: %j', (list, first) => {
  expect(firstWithin(list, { maxItems: 3, maxSize: 5, sizeOf })).toEqual(first);
});

test('any number of items, when their size alone is bounded', () => {
  const list = Array<string>(5).fill('a');
  expect(firstWithin(list, { maxSize: 5, sizeOf })).toEqual(list);
});
