import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inContext, MAX_CONTEXT, withoutContext } from '../embedding/text-in-context.js';
import { joined, MAX_WINDOWS, windowsOf } from './windows.js';

const SIZE = 900;

const lettersOf = (length: number): string =>
  Array.from({ length }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');

test('a text that is no longer than a window is read as it is, with what it answers', () => {
  const text = 'x'.repeat(SIZE);
  expect(windowsOf(text, SIZE)).toEqual([text]);
  expect(windowsOf('', SIZE)).toEqual(['']);
  const answer = inContext(text, 'y'.repeat(MAX_CONTEXT));
  expect(windowsOf(answer, SIZE)).toEqual([answer]);
});

test('the windows of a longer text are that text, of nearly equal lengths', () => {
  fc.assert(
    fc.property(fc.integer({ min: SIZE + 1, max: SIZE * MAX_WINDOWS }), (length) => {
      const text = lettersOf(length);
      const windows = windowsOf(text, SIZE);
      expect(windows.join('')).toBe(text);
      const lengths = windows.map((window) => window.length);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(SIZE);
    }),
  );
});

test('each window has what the text answers', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: MAX_CONTEXT }), (context) => {
      const text = lettersOf(2 * SIZE);
      const windows = windowsOf(inContext(text, context), SIZE);
      expect(windows).toEqual([
        inContext(text.slice(0, SIZE), context),
        inContext(text.slice(SIZE), context),
      ]);
    }),
  );
});

test('of brackets at the end of a text those that are no answer are a part of it', () => {
  for (const text of [`x (re: ${'y'.repeat(MAX_CONTEXT + 1)})`, 'x (re: y', 'x (y)']) {
    expect(withoutContext(text)).toEqual([text, '']);
  }
});

test('of a very long text windows from all of it are read, and no more than of a long one', () => {
  const text = Array.from({ length: 100_000 }, (_, n) => `${n} `).join('');
  const windows = windowsOf(text, SIZE);
  expect(windows).toHaveLength(MAX_WINDOWS);
  const tenths = windows.map((window) => Math.floor((10 * text.indexOf(window)) / text.length));
  expect(tenths).toEqual([0, 1, 3, 4, 5, 6, 8, 9]);
});

test('a text that no window limits is one window', () => {
  expect(windowsOf('x'.repeat(1_000_000), Infinity)).toHaveLength(1);
});

test('the vectors of the windows of a text become one of length 1 that points where their mean does', () => {
  const vectors = [
    [1, 0],
    [0, 1],
    [0.6, 0.8],
  ].map((values) => Float32Array.from(values));
  const [pair, alone] = joined(vectors, [['a', 'b'], ['c']]);
  expect([...(pair ?? [])]).toEqual([Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2)]);
  expect(alone).toBe(vectors[2]);
});
