import { describe, expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { halvesOf, isAboutMessages, judgeFailure, maxFailures } from './retry-plan.js';

const unusable = unavailable('model_reply_unusable', 'No JSON.');
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

test('a batch is halved until a message is alone; none is lost on the way', () => {
  expect(halvesOf([1, 2, 3])).toEqual([[1, 2], [3]]);
  expect(halvesOf([1, 2])).toEqual([[1], [2]]);
  expect(halvesOf([1])).toEqual([[1]]);
});

test('an outage is waited out for longer than a bad reply; what is too long is not tried again', () => {
  expect(maxFailures('language_model_unavailable')).toBeGreaterThan(maxFailures('model_reply_unusable'));
  expect(['model_input_too_long', 'body_too_large'].map(maxFailures)).toEqual([1, 1]);
});

test.each([
  ['a reply that is of no use', unusable, true],
  ['an outage of the provider', outage(), false],
  ['a database that is down', unavailable('database_unavailable', 'Down.'), false],
])('whether %s may be the fault of the messages', (_, failure, expected) => {
  expect(isAboutMessages(failure)).toBe(expected);
});
