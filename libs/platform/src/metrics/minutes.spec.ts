import { expect, test } from '@jest/globals';
import { Minutes, quantileMs, together } from './minutes.js';

const START = 29_000_000 * 60_000;

test('what is counted and timed belongs to its minute, and an hour is kept', () => {
  let now = START;
  const minutes = new Minutes(() => now);
  minutes.count('adds');
  minutes.count('input_tokens', 100);
  now += 59_999;
  minutes.count('adds');
  now += 1;
  minutes.time('adds', 0.02);
  expect(minutes.figures(60)).toEqual([
    { minute: 29_000_000, counts: { adds: 2, input_tokens: 100 }, durations: {} },
    { minute: 29_000_001, counts: {}, durations: { adds: [[109, 1]] } },
  ]);
  expect(minutes.figures(1).map(({ minute }) => minute)).toEqual([29_000_001]);
  now = START + 60 * 60_000;
  minutes.count('adds');
  expect(minutes.figures(1_000).map(({ minute }) => minute)).toEqual([29_000_001, 29_000_060]);
});

test('a quantile is at most 5 % too long', () => {
  const minutes = new Minutes(() => START);
  for (let ms = 1; ms <= 1000; ms += 1) minutes.time('searches', ms / 1000);
  const counts = together([minutes.figures(1)[0]?.durations.searches ?? []]);
  for (const share of [0.5, 0.9, 0.99]) {
    const quantile = quantileMs(counts, share) ?? 0;
    expect(quantile).toBeGreaterThanOrEqual(share * 1000);
    expect(quantile).toBeLessThan(share * 1000 * 1.06);
  }
});

test('nothing has no quantile, and what is absurd falls into the first or the last step', () => {
  expect(quantileMs(together([]), 0.5)).toBeUndefined();
  const minutes = new Minutes(() => START);
  for (const seconds of [-1, 0, Number.NaN, 1e9]) minutes.time('findable', seconds);
  const steps = minutes.figures(1)[0]?.durations.findable ?? [];
  expect(steps.every(([step]) => step === 0 || step === 372)).toBe(true);
});
