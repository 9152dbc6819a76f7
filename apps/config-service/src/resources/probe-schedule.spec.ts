import { expect, test } from '@jest/globals';
import { retryInMs } from './probe-schedule.js';

const schedule = { minMs: 1_000, maxMs: 10_000 };
const middle = 0.5;

test('the pause doubles with every failure, up to its bound', () => {
  const pauses = [1, 2, 3, 4, 5, 60, 2_000].map((failures) => retryInMs(failures, schedule, middle));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
});

test('it varies by a fifth to either side', () => {
  expect([retryInMs(1, schedule, 0), retryInMs(1, schedule, 1)]).toEqual([800, 1_200]);
});
