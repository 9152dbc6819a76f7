import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inBatches } from './batches.js';
import { inHalves, splitEvenly } from './split-text.js';

/** Half a surrogate pair. */
const TORN = /\p{Surrogate}/u;

describe('the parts of a text', () => {
  test('are the text again, none too long and no pair torn', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 2, max: 20 }),
        (text, max) => {
          const solid = `x${text.replace(/\s/g, 'x')}`;
          const parts = splitEvenly(solid, max);
          expect(parts.join('')).toBe(solid);
          expect(parts.every((part) => part.length <= max && !TORN.test(part))).toBe(true);
        },
      ),
    );
  });

  test('are of nearly the same length', () => {
    expect(splitEvenly('x'.repeat(10), 4).map(({ length }) => length)).toEqual([4, 3, 3]);
  });

  test.each(['', ' \n '])('of nothing (%j) are a sign that can be embedded', (text) => {
    expect(splitEvenly(text, 10)).toEqual(['-']);
  });
});

test('a text has two halves, whatever is torn by cutting in the middle', () => {
  for (const text of ['x'.repeat(101), `x${'😀'.repeat(50)}`, '😀'.repeat(51)]) {
    const halves = inHalves(text);
    expect(halves.join('')).toBe(text);
    expect(halves.some((half) => TORN.test(half))).toBe(false);
    expect(halves.map(({ length }) => Math.abs(length - text.length / 2) <= 1)).toEqual([true, true]);
  }
});

describe('batches', () => {
  test('keep the order and the limit of texts', () => {
    expect(inBatches(['a', 'b', 'c', 'd', 'e'], 2)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(inBatches([], 2)).toEqual([]);
  });

  test('of long texts are smaller', () => {
    const long = 'x'.repeat(90_000);
    expect(inBatches([long, long, long], 100).map(({ length }) => length)).toEqual([2, 1]);
  });
});
