import { expect, test } from '@jest/globals';
import { queriesOf } from './feature-context.js';

const texts = (count: number, length = 10): string[] =>
  Array.from({ length: count }, (_, index) => `${index} `.padEnd(length, 'x'));

test('each of a few texts is searched for by itself, and many in eight parts at most', () => {
  expect(queriesOf(texts(5))).toEqual(texts(5));
  const parts = queriesOf(texts(50));
  expect(parts.length).toBeLessThanOrEqual(8);
  expect(parts.join('\n')).toBe(texts(50).join('\n'));
});

test('a long text leaves room for the others of its part', () => {
  const [part = ''] = queriesOf([...texts(8, 100_000), ...texts(1, 20)]);
  expect(part.length).toBeLessThanOrEqual(4_001);
  expect(part).toContain('1 ');
});

test('nothing is searched for nothing', () => {
  expect(queriesOf([])).toEqual([]);
  expect(queriesOf(['', ' '])).toEqual([]);
});
