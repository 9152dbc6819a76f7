import { expect, test } from '@jest/globals';
import { conflict, internal, invalid, notFound, rateLimited, timedOut, unavailable } from '@loci/contracts';
import { judge } from './retry-policy.js';

const attempt = { tries: 1, deliveries: 1, maxTries: 8 };
const problem = { loc: ['body'], msg: 'no', type: 'x' };

test.each([
  unavailable('database_unavailable', 'down'),
  timedOut('deadline_exceeded', 'slow'),
  rateLimited('overloaded', 'busy'),
])('waits for ever when waiting mends it: $code', (error) => {
  const verdict = judge(error, { tries: 1000, deliveries: 1000, maxTries: 8 });
  expect(verdict).toMatchObject({ action: 'retry', mendsByWaiting: true });
});

test.each([invalid('invalid_request', [problem]), notFound('project_not_found', 'gone')])(
  'gives up at once when waiting cannot mend it: $code',
  (error) => {
    expect(judge(error, attempt)).toMatchObject({ action: 'dead-letter' });
  },
);

test.each([
  internal('internal_error', 'oops'),
  conflict('project_being_deleted', 'wait'),
  new Error('bug'),
  'text',
])('tries anything else until the last try: %s', (error) => {
  expect(judge(error, { ...attempt, tries: 7 })).toMatchObject({ action: 'retry', mendsByWaiting: false });
  expect(judge(error, { ...attempt, tries: 8 })).toMatchObject({ action: 'dead-letter' });
});

test('the reason names what happened inside', () => {
  expect(judge(new Error('row 5 is odd'), { ...attempt, tries: 8 })).toMatchObject({
    reason: 'internal_error: row 5 is odd (after 8 tries)',
  });
});

test('delays double from half a second up to thirty, spread over the whole range', () => {
  const ceiling = (deliveries: number): unknown =>
    judge(new Error('x'), { ...attempt, deliveries }, () => 0.999999);
  expect([1, 2, 3, 7, 8, 500].map((n) => (ceiling(n) as { delayMs: number }).delayMs)).toEqual([
    500, 1000, 2000, 30_000, 30_000, 30_000,
  ]);
  expect(judge(new Error('x'), { ...attempt, deliveries: 8 }, () => 0)).toMatchObject({ delayMs: 50 });
});

test('waits at least as long as the error asks for', () => {
  const error = unavailable('service_unavailable', 'down', { retryAfterSeconds: 90 });
  expect(judge(error, attempt)).toMatchObject({ delayMs: 90_000 });
});
