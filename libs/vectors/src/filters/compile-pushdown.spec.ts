import { describe, expect, test } from '@jest/globals';
import { type Comparison, type Filter, type Instant, type Literal, type SystemField } from '@loci/contracts';
import { attributeToken } from './attribute-token.js';
import { type PointFields, compilePushdown } from './compile-pushdown.js';

const carried: PointFields = { fields: new Set(['producer_id', 'producer_role']), metadata: true };

const text = (value: string): Literal => ({ type: 'string', value });
const number = (value: number): Literal => ({ type: 'number', value });
const date: Literal = { type: 'instant', value: '2024-01-01T00:00:00.000000Z' as Instant };

const metadata = (comparison: Comparison, value: Literal): Filter => ({
  op: 'compare',
  field: { kind: 'metadata', key: 'n' },
  comparison,
  value,
});
const system = (name: SystemField, comparison: Comparison, value: Literal): Filter => ({
  op: 'compare',
  field: { kind: 'system', name },
  comparison,
  value,
});
const not = (arg: Filter): Filter => ({ op: 'not', arg });
const and = (...args: Filter[]): Filter => ({ op: 'and', args });
const or = (...args: Filter[]): Filter => ({ op: 'or', args });

const exact = metadata('=', text('x'));
const inexact = metadata('<', number(5));

describe('exact', () => {
  test.each([
    ['equality of texts', exact],
    ['inequality of texts', metadata('!=', text('x'))],
    ['IN over texts', { op: 'in', field: { kind: 'metadata', key: 'n' }, values: [text('x'), text('y')] }],
    ['presence', { op: 'present', field: { kind: 'metadata', key: 'n' } }],
    ['a field that points carry', system('producer_id', '=', text('x'))],
    ['the id', system('uid', '!=', text('0190a0a0-0000-7000-8000-000000000000'))],
    ['a range of time', and(system('created_at', '>=', date), not(system('created_at', '>', date)))],
    ['AND, OR, NOT over exact parts', not(or(exact, and(exact, not(exact))))],
  ] satisfies [string, Filter][])('%s', (_, filter) => {
    expect(compilePushdown(filter, carried).exact).toBe(true);
  });
});

describe('not exact', () => {
  test.each([
    ['order of metadata', inexact],
    ['equality with a number', metadata('=', number(5))],
    ['equality with a date', metadata('=', date)],
    ['a part that is not exact', and(exact, not(inexact))],
  ])('%s, but narrowed to what may match', (_, filter) => {
    expect(compilePushdown(filter, carried)).toMatchObject({ exact: false, filter: expect.anything() });
  });

  test.each([
    ['a field that points do not carry', system('content', '=', text('x'))],
    ['NOT over what is not exact', not(inexact)],
    ['OR with what is unknown', or(exact, system('content', '=', text('x')))],
  ])('%s, and not narrowed at all', (_, filter) => {
    expect(compilePushdown(filter, carried)).toEqual({ exact: false });
  });
});

test('NOT over equality with a number still leaves out the points that surely have it', () => {
  expect(compilePushdown(not(metadata('=', number(5))), carried)).toMatchObject({
    exact: false,
    filter: { must: [{ must_not: [expect.anything()] }] },
  });
});

test('metadata that points do not carry narrows nothing, whatever is said of it', () => {
  const withoutMetadata = { ...carried, metadata: false };
  const present: Filter = { op: 'present', field: { kind: 'metadata', key: 'n' } };
  for (const filter of [exact, not(exact), inexact, present, not(present)]) {
    expect(compilePushdown(filter, withoutMetadata)).toEqual({ exact: false });
  }
  const own = system('producer_id', '=', text('x'));
  expect(compilePushdown(and(exact, own), withoutMetadata)).toEqual({
    exact: false,
    filter: compilePushdown(own, withoutMetadata).filter,
  });
});

test.each(['nonsense', 'AAAAAAAA-0000-7000-8000-000000000000', ''])('no point has the id %j', (id) => {
  const nothing = { must: [{ has_id: [] }] };
  expect(compilePushdown(system('uid', '=', text(id)), carried)).toEqual({ exact: true, filter: nothing });
  expect(compilePushdown(not(system('uid', '=', text(id))), carried)).toEqual({ exact: true });
});

test('IN over nothing holds for no point, and an empty AND for all', () => {
  const nowhere: Filter = { op: 'in', field: { kind: 'metadata', key: 'n' }, values: [] };
  expect(compilePushdown(nowhere, carried)).toEqual({ exact: true, filter: { must: [{ has_id: [] }] } });
  expect(compilePushdown(and(), carried)).toEqual({ exact: true });
});

test('of many values, and of many comparisons with OR, points are looked up at once', () => {
  const names = Array.from({ length: 250 }, (_, n) => `v${n}`);
  const values = names.map(text);
  const listed: Filter = { op: 'in', field: { kind: 'metadata', key: 'n' }, values };
  const any = names.map((name) => attributeToken('metadata', 'n', ['text', name]));
  const { filter } = compilePushdown(listed, carried);
  expect(filter).toEqual({ must: [{ key: 'tokens', match: { any } }] });
  const compared = or(...values.map((value) => metadata('=', value)), or(metadata('=', text('v0'))));
  expect(compilePushdown(compared, carried)).toEqual({ exact: true, filter });
});

test('of many ids, points are looked up at once', () => {
  const ids = Array.from({ length: 3 }, (_, n) => `0190a0a0-0000-7000-8000-00000000000${n}`);
  const listed: Filter = { op: 'in', field: { kind: 'system', name: 'uid' }, values: ids.map(text) };
  expect(compilePushdown(listed, carried)).toEqual({ exact: true, filter: { must: [{ has_id: ids }] } });
});

test('a filter nested beyond what Qdrant parses is not narrowed where it is too deep', () => {
  const deep = Array.from({ length: 500 }).reduce<Filter>((inner) => not(inner), exact);
  const wrapped = and(metadata('=', text('y')), deep);
  expect(compilePushdown(wrapped, carried)).toEqual({
    exact: false,
    filter: compilePushdown(metadata('=', text('y')), carried).filter,
  });
});
