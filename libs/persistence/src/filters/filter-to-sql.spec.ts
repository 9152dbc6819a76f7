import { expect, test } from '@jest/globals';
import { type Filter, instantFromIso, type Literal } from '@loci/contracts';
import { type FieldColumns } from './field-columns.js';
import { filterToSql } from './filter-to-sql.js';

const columns: FieldColumns = {
  metadata: 'metadata',
  fields: {
    producer_id: { sql: 'producer_id', type: 'text' },
    sequence_num: { sql: 'sequence_num', type: 'integer' },
    session_key: { constant: 'org/project' },
  },
};

const HOSTILE = `x'); DROP TABLE episodes; -- $1 "`;
const key = { kind: 'metadata', key: HOSTILE } as const;
const text = { type: 'string', value: HOSTILE } as const;

const everyUse: Filter = {
  op: 'and',
  args: [
    ...(['=', '!=', '<', '<=', '>', '>='] as const).map((comparison): Filter => ({
      op: 'compare',
      field: key,
      comparison,
      value: text,
    })),
    { op: 'in', field: key, values: [text, { type: 'number', value: 5 }] },
    { op: 'not', arg: { op: 'or', args: [{ op: 'present', field: key }] } },
  ],
};

test('no text of the filter becomes part of the SQL', () => {
  const { sql, parameters } = filterToSql(everyUse, columns, 1);
  expect(sql).not.toMatch(/DROP|episodes|x'/);
  expect(parameters.flat()).toContain(HOSTILE);
});

test('parameters are numbered on from the first, without a gap', () => {
  const { sql, parameters } = filterToSql(everyUse, columns, 7);
  const used = new Set([...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  expect([...used].sort((a, b) => a - b)).toEqual(parameters.map((_, index) => index + 7));
});

test('a field that this kind of row has not is missing', () => {
  const field = { kind: 'system', name: 'set_id' } as const;
  expect(filterToSql({ op: 'present', field }, columns, 1)).toEqual({ sql: 'FALSE', parameters: [] });
  const notEqual: Filter = { op: 'compare', field, comparison: '!=', value: text };
  expect(filterToSql(notEqual, columns, 1)).toEqual({ sql: 'FALSE', parameters: [] });
});

test('no condition holds for all, no alternative for none', () => {
  expect(filterToSql({ op: 'and', args: [] }, columns, 1).sql).toBe('TRUE');
  expect(filterToSql({ op: 'or', args: [] }, columns, 1).sql).toBe('FALSE');
});

test('a long list of texts is one parameter', () => {
  const values = Array.from({ length: 1_000 }, (_, n) => ({ type: 'string', value: String(n) }) as const);
  const { parameters } = filterToSql({ op: 'in', field: key, values }, columns, 1);
  expect(parameters).toHaveLength(2);
});

test('what several tests need is read once, and tests that need none of it stay where indexes serve them', () => {
  const tests = Array.from({ length: 100 }, (_, n): Filter => ({
    op: 'compare',
    field: { kind: 'metadata', key: String(n) },
    comparison: '=',
    value: text,
  }));
  const spoken: Filter = { op: 'present', field: { kind: 'system', name: 'producer_id' } };
  const { sql } = filterToSql({ op: 'and', args: [{ op: 'or', args: tests }, spoken] }, columns, 1);
  expect(sql.split('(metadata)')).toHaveLength(2);
  expect(sql.startsWith('(((producer_id)::text IS NOT NULL) AND (SELECT ')).toBe(true);
});

test('a text that is too long for a number or a moment is not looked through', () => {
  const compared = (value: Literal): Filter => ({ op: 'compare', field: key, comparison: '>', value });
  const moment = instantFromIso('2024-05-01');
  if (moment === undefined) throw new Error('unreadable');
  for (const value of [{ type: 'number', value: 5 } as const, { type: 'instant', value: moment } as const]) {
    expect(filterToSql(compared(value), columns, 1).sql).toMatch(/octet_length\([^~]*<= \d+ AND [^~]*~/);
  }
});
