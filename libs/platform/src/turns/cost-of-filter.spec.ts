import { expect, test } from '@jest/globals';
import { type Filter, type FilterField, type Instant, type Literal } from '@loci/contracts';
import { costOfCounting } from './cost-of-filter.js';
import { costOfPage } from './cost-of-page.js';
import { costOfQuery } from './cost-of-query.js';

const AGE: FilterField = { kind: 'metadata', key: 'age' };
const CREATED: FilterField = { kind: 'system', name: 'created_at' };
const text: Literal = { type: 'string', value: 'mira' };
const moment: Literal = { type: 'instant', value: '2026-03-01T00:00:00.000000Z' as Instant };

const compared = (field: FilterField, value: Literal): Filter => ({
  op: 'compare',
  field,
  comparison: '=',
  value,
});

const anyOf = (count: number, filter: Filter): Filter => ({
  op: 'or',
  args: Array.from({ length: count }, () => filter),
});

const oneOf = (values: readonly Literal[]): Filter => ({ op: 'in', field: AGE, values });

test.each<[string, Filter | undefined, number]>([
  ['no filter', undefined, 1],
  ['one condition', compared(AGE, text), 1],
  ['many conditions', { op: 'not', arg: anyOf(120, compared(AGE, text)) }, 8],
  ['many tests of what is there', anyOf(32, { op: 'present', field: AGE }), 3],
  ['many texts that are read as moments', anyOf(32, compared(AGE, moment)), 7],
  ['many moments that are moments already', anyOf(32, compared(CREATED, moment)), 3],
  ['a list of texts', oneOf(Array.from({ length: 200 }, () => text)), 1],
  ['a list of moments', oneOf([text, ...Array.from({ length: 32 }, () => moment)]), 7],
])('what matches by %s is found in the time of so many searches', (_, filter, cost) => {
  expect(costOfQuery({ query: 'tea', topK: 10, filter })).toBe(cost);
});

test('a long query is worth as many searches as it takes to read it', () => {
  expect(costOfQuery({ query: 'x'.repeat(3_000), topK: 10 })).toBe(1);
  expect(costOfQuery({ query: 'x'.repeat(31_000), topK: 10 })).toBe(8);
});

test('what reads all rows to count them is worth several searches, and more with many conditions', () => {
  expect(costOfCounting({})).toBe(4);
  expect(costOfCounting({ filter: compared(AGE, text) })).toBe(4);
  expect(costOfCounting({ filter: anyOf(120, compared(AGE, text)) })).toBe(11);
});

test('a page costs what its filter and its rows cost', () => {
  expect(costOfPage({ pageSize: 100, filter: compared(AGE, text) })).toBe(1);
  expect(costOfPage({ pageSize: 10, filter: anyOf(120, compared(AGE, text)) })).toBe(7);
  expect(costOfPage({ pageSize: 1_000, filter: anyOf(32, compared(AGE, text)) })).toBe(10);
});
