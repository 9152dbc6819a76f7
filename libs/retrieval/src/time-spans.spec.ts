import { expect, test } from '@jest/globals';
import { isWithin, timeSpansIn } from './time-spans.js';

const REFERENCE = Date.parse('2023-10-18T12:00:00Z');

const speaksOf = (query: string, day: string): boolean =>
  isWithin(Date.parse(`${day}T09:00:00Z`), timeSpansIn(query, REFERENCE));

test.each([
  ['What did Ann do on 7 May 2023?', '2023-05-07', '2023-05-12'],
  ['Where was she in August 2023?', '2023-08-30', '2023-07-30'],
  ['What happened last May?', '2023-05-20', '2022-05-20'],
  ['What did I say two weeks ago?', '2023-10-04', '2023-09-01'],
  ['Who called yesterday?', '2023-10-17', '2023-10-10'],
  ['Which trips were in 2022?', '2022-03-03', '2023-03-03'],
  ['What did she plan in December?', '2022-12-10', '2023-12-10'],
  ['Who came on Friday?', '2023-10-13', '2023-10-20'],
  ['What was said last month?', '2023-09-10', '2023-07-10'],
])('%s speaks of %s and not of %s', (query, then, other) => {
  expect(speaksOf(query, then)).toBe(true);
  expect(speaksOf(query, other)).toBe(false);
});

test('what was told a day later is still of that day', () => {
  expect(speaksOf('What did Ann do on 7 May 2023?', '2023-05-08')).toBe(true);
});

test.each([
  'Who may come?',
  'What does she do now?',
  'Where do they march?',
  '',
  'When did Ann go?',
  'Who comes at 5?',
])('%p names no time', (query) => {
  expect(timeSpansIn(query, REFERENCE)).toEqual([]);
});
