import { expect, test } from '@jest/globals';
import { inParts } from './in-parts.js';

test.each([
  [[], []],
  [['a'], [['a']]],
  [['a', 'b'], [['a', 'b']]],
  [
    ['a', 'b', 'c'],
    [['a', 'b'], ['c']],
  ],
])('%j in parts of two: %j', (list, parts) => {
  expect(inParts(list, 2)).toEqual(parts);
});
