import { expect, test } from '@jest/globals';
import { contextSize, expand } from './context-expansion.js';

test('one third of the context comes before, the rest behind, and the hit stays between them', () => {
  expect(contextSize(3, 10)).toEqual({ before: 1, after: 2 });
  expect(contextSize(100, 4)).toEqual({ before: 1, after: 2 });
  expect(contextSize(5, 1)).toEqual({ before: 0, after: 0 });
});

test('neighbours count towards the number of hits, and nothing comes twice', () => {
  const context = new Map([
    ['a', ['b', 'c']],
    ['c', ['d']],
  ]);
  expect([...expand(['a', 'c', 'x'], context, 4)]).toEqual([
    ['a', 'a'],
    ['b', 'a'],
    ['c', 'a'],
    ['d', 'c'],
  ]);
});

test('without context the hits are what they were', () => {
  expect([...expand(['a', 'b', 'c'], new Map(), 2).keys()]).toEqual(['a', 'b']);
});
