import { describe, expect, test } from '@jest/globals';
import { internal, unavailable } from '@loci/contracts';
import { batchLimitAfter, judgeFailure, maxFailures } from './retry-plan.js';

const unusable = internal('model_reply_unusable', 'No JSON.');
const outage = (retryAfterSeconds?: number): Error =>
  unavailable(
    'language_model_unavailable',
    'Overloaded.',
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );

const pauseAfter = (failures: number, random: number, error: Error = unusable): number =>
  judgeFailure(error, { failures, firstPauseMs: 2_000 }, () => random).afterMs;

describe('the pause after a failure', () => {
  test('doubles with each further one, up to five minutes', () => {
    expect([1, 2, 3, 4].map((failures) => pauseAfter(failures, 1))).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(pauseAfter(20, 1)).toBe(300_000);
    expect(pauseAfter(2_000, 1)).toBe(300_000);
  });

  test('is spread over its second half, so that sets do not come back all at once', () => {
    expect(pauseAfter(1, 0)).toBe(1_000);
    expect(pauseAfter(1, 0.5)).toBe(1_500);
  });

  test('is never shorter than what the provider asked for', () => {
    expect(pauseAfter(1, 0, outage(90))).toBe(90_000);
    expect(pauseAfter(8, 1, outage(1))).toBe(256_000);
  });
});

test.each(['resource_not_ready', 'registry_unavailable', 'database_unavailable'] as const)(
  '%s says nothing about the messages: it blocks, and costs no try',
  (code) => {
    const verdict = judgeFailure(unavailable(code, 'Not there.'), { failures: 3, firstPauseMs: 2_000 });
    expect(verdict).toEqual({ kind: 'blocked', afterMs: 10_000, code, reason: 'Not there.' });
  },
);

test('after each bad reply a batch is half as large, until a message is alone; an outage changes nothing', () => {
  const after = (failures: number): number => batchLimitAfter({ failures, code: 'model_reply_unusable' });
  expect([1, 2, 3, 4, 5].map(after)).toEqual([25, 12, 6, 3, 1]);
  expect(batchLimitAfter(undefined)).toBe(50);
  expect(batchLimitAfter({ failures: 5, code: 'language_model_unavailable' })).toBe(50);
});

test('a message is alone in its batch before it is given up; an outage is waited out for longer', () => {
  const last = maxFailures('model_reply_unusable');
  expect(batchLimitAfter({ failures: last - 1, code: 'model_reply_unusable' })).toBe(1);
  expect(maxFailures('language_model_unavailable')).toBeGreaterThan(last);
});
