import { expect, test } from '@jest/globals';
import { RecentlyUsed } from './recently-used.js';

test('what was not used for longest makes room', () => {
  const recent = new RecentlyUsed<string, number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  expect(recent.get('a')).toBe(1);
  recent.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([1, undefined, 3]);
});

test('what is set again displaces nothing, and what is deleted is gone', () => {
  const recent = new RecentlyUsed<string, number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  recent.set('b', 3);
  expect([recent.get('a'), recent.get('b')]).toEqual([1, 3]);
  recent.delete('a');
  expect(recent.get('a')).toBeUndefined();
});
