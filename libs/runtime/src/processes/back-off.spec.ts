import { expect, test } from '@jest/globals';
import { BackOff } from './back-off.js';

test('a process that keeps dying waits 100 ms, twice as long each time, and never more than 5 s', () => {
  const backOff = new BackOff();
  const pauses = Array.from({ length: 8 }, () => backOff.pauseMs(0));
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

test('a process that ran for 10 s is brought back as quickly as at first', () => {
  const backOff = new BackOff();
  for (let death = 0; death < 5; death++) backOff.pauseMs(9_999);
  expect(backOff.pauseMs(10_000)).toBe(100);
  expect(backOff.pauseMs(0)).toBe(200);
});
