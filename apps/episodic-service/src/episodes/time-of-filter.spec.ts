import { expect, test } from '@jest/globals';
import { parseFilter } from '@loci/contracts';
import { timeOf } from './time-of-filter.js';

const JANUARY = '2024-01-01T00:00:00.000000Z';
const MAY = '2024-05-01T00:00:00.000000Z';
const JULY = '2024-07-01T00:00:00.000000Z';

test.each([
  ["created_at >= '2024-01-01'", { from: JANUARY }],
  ["created_at > '2024-01-01'", { from: JANUARY }],
  ["created_at <= '2024-05-01'", { until: MAY }],
  ["created_at < '2024-05-01'", { until: MAY }],
  ["created_at = '2024-05-01'", { from: MAY, until: MAY }],
  ["created_at > '2024-01-01' AND m.a = 'b' AND created_at < '2024-05-01'", { from: JANUARY, until: MAY }],
  ["m.a = 'b' AND (created_at < '2024-07-01' AND (created_at < '2024-05-01'))", { until: MAY }],
  [
    "created_at > '2024-05-01' AND created_at > '2024-01-01' AND created_at < '2024-07-01'",
    { from: MAY, until: JULY },
  ],
])('all that matches %s was said within a time', (text, range) => {
  expect(timeOf(parseFilter(text))).toEqual(range);
});

test.each([
  "m.a = 'b'",
  "created_at != '2024-05-01'",
  "NOT created_at < '2024-05-01'",
  "created_at < '2024-05-01' OR m.a = 'b'",
  "m.a = 'b' AND (created_at < '2024-05-01' OR created_at > '2024-07-01')",
  "m.created_at < date('2024-05-01')",
  'created_at IS NOT NULL',
])('what matches %s can have been said at any time', (text) => {
  expect(timeOf(parseFilter(text))).toEqual({});
});

test('without a filter it is any time', () => {
  expect(timeOf(undefined)).toEqual({});
});
