import { expect, test } from '@jest/globals';
import { beginAround, beginBefore, beginBehind, partFrom } from './shown-part.js';

test('a hundred thousand messages are one part, and so are some more that came meanwhile', () => {
  for (const total of [1, 100_000, 150_000]) {
    expect(partFrom(beginAround(total), total)).toEqual({ begin: 0, end: total });
    expect(partFrom(beginAround(total, 0), total)).toEqual({ begin: 0, end: total });
  }
});

test('of a million the newest are shown first, or those around a position', () => {
  const total = 1_000_000;
  expect(partFrom(beginAround(total), total)).toEqual({ begin: 900_000, end: total });
  expect(partFrom(beginAround(total, 500_000), total)).toEqual({ begin: 450_000, end: 550_000 });
  expect(partFrom(beginAround(total, 3), total)).toEqual({ begin: 0, end: 100_000 });
  expect(partFrom(beginAround(total, 999_999), total)).toEqual({ begin: 900_000, end: total });
});

test('all parts together are the whole list, from the end to the beginning and back', () => {
  const total = 1_234_567;
  let part = partFrom(beginAround(total), total);
  let seen = part.begin;
  while (part.begin > 0) {
    const before = partFrom(beginBefore(part), total);
    expect(before.end).toBeGreaterThanOrEqual(seen);
    part = before;
    seen = part.begin;
  }
  while (part.end < total) {
    const behind = partFrom(beginBehind(part, total), total);
    expect(behind.begin).toBeLessThanOrEqual(part.end);
    expect(behind.end).toBeGreaterThan(part.end);
    part = behind;
  }
});
