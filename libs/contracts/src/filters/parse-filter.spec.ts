import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AppError, type Problem } from '../errors/app-error.js';
import { type Instant } from '../instant.js';
import {
  type Comparison,
  type Filter,
  type FilterField,
  type Literal,
  MOMENT_FIELDS,
  SYSTEM_FIELDS,
} from './filter.js';
import { parseFilter } from './parse-filter.js';

const key = (name: string): FilterField => ({ kind: 'metadata', key: name });
const system = (name: (typeof SYSTEM_FIELDS)[number]): FilterField => ({ kind: 'system', name });
const text = (value: string): Literal => ({ type: 'string', value });
const number = (value: number): Literal => ({ type: 'number', value });
const instant = (value: string): Literal => ({ type: 'instant', value: value as Instant });
const compare = (field: FilterField, comparison: Comparison, value: Literal): Filter => ({
  op: 'compare',
  field,
  comparison,
  value,
});
const is = (name: string, value: Literal): Filter => compare(key(name), '=', value);

const [a, b, c] = [is('a', number(1)), is('b', number(2)), is('c', number(3))];

function problemOf(filter: string, limits = {}): Problem {
  try {
    parseFilter(filter, limits);
  } catch (error) {
    if (
      error instanceof AppError &&
      error.code === 'invalid_filter' &&
      error.details.problems?.length === 1
    ) {
      return error.details.problems[0]!;
    }
    throw error;
  }
  throw new Error(`accepted: ${filter}`);
}

describe('what a filter says', () => {
  test.each(['', '  ', '\n\t\u00a0'])('%j is no filter', (blank) => {
    expect(parseFilter(blank)).toBeUndefined();
  });

  test.each<[string, Filter]>([
    ['metadata.a=1 AND m.b=2 AND m.c=3', { op: 'and', args: [a, b, c] }],
    ['m.a=1 OR m.b=2 AND m.c=3', { op: 'or', args: [a, { op: 'and', args: [b, c] }] }],
    ['m.a=1 AND m.b=2 OR m.c=3', { op: 'or', args: [{ op: 'and', args: [a, b] }, c] }],
    ['(m.a=1 OR m.b=2) AND m.c=3', { op: 'and', args: [{ op: 'or', args: [a, b] }, c] }],
    ['NOT m.a=1 AND m.b=2', { op: 'and', args: [{ op: 'not', arg: a }, b] }],
    ['not (m.a=1 and m.b=2)', { op: 'not', arg: { op: 'and', args: [a, b] } }],
    ['NOT NOT m.a=1', { op: 'not', arg: { op: 'not', arg: a } }],
    ['((m.a=1))', a],
    ['\u00a0m.a\t=\n1 ', a],
    ['NOT(m.a=1)OR(m.b=2)', { op: 'or', args: [{ op: 'not', arg: a }, b] }],
  ])('%j: what binds how', (filter, expected) => {
    expect(parseFilter(filter)).toEqual(expected);
  });

  test.each<[string, Filter]>([
    ["m.a='x'", is('a', text('x'))],
    ['m.a="x"', is('a', text('x'))],
    ["m.a='O''Brien'", is('a', text("O'Brien"))],
    ['m.a="say ""hi"""', is('a', text('say "hi"'))],
    [`m.a='"' `, is('a', text('"'))],
    ["m.a=''", is('a', text(''))],
    ["m.a='\\'", is('a', text('\\'))],
    ["m.a='日本 ☕️ נתן'", is('a', text('日本 ☕️ נתן'))],
    ['m.a=word_1.x', is('a', text('word_1.x'))],
    ['m.a=date', is('a', text('date'))],
    ['m.a=ANDy', is('a', text('ANDy'))],
    ['m.a=1.2.3', is('a', text('1.2.3'))],
    ['m.a=2024-05-01', is('a', text('2024-05-01'))],
    ['m.a=TRUE', is('a', { type: 'boolean', value: true })],
    ['m.a=false', is('a', { type: 'boolean', value: false })],
    ['m.a=007', is('a', number(7))],
    ['m.a=-1', is('a', number(-1))],
    ['m.a=-1.5', is('a', number(-1.5))],
    ['m.a=-0', is('a', number(0))],
    ["m.a>date('2024-05-01')", compare(key('a'), '>', instant('2024-05-01T00:00:00.000000Z'))],
    ['m.a > DATE ( "2024-05-01" )', compare(key('a'), '>', instant('2024-05-01T00:00:00.000000Z'))],
    ['m.a=123456789012345678', is('a', text('123456789012345678'))],
  ])('%j: a value', (filter, expected) => {
    expect(parseFilter(filter)).toEqual(expected);
  });

  test.each<[string, Comparison]>([
    ['=', '='],
    ['!=', '!='],
    ['<>', '!='],
    ['<', '<'],
    ['<=', '<='],
    ['>', '>'],
    ['>=', '>='],
  ])('m.a %s 1', (written, comparison) => {
    expect(parseFilter(`m.a${written}1`)).toEqual(compare(key('a'), comparison, number(1)));
  });

  test.each<[string, Filter]>([
    ["m.a IN ('x', y)", { op: 'in', field: key('a'), values: [text('x'), text('y')] }],
    ['m.a in(1,-2)', { op: 'in', field: key('a'), values: [number(1), number(-2)] }],
    ['m.a NOT IN (1)', { op: 'not', arg: { op: 'in', field: key('a'), values: [number(1)] } }],
    ['m.a IS NOT NULL', { op: 'present', field: key('a') }],
    ['m.a is null', { op: 'not', arg: { op: 'present', field: key('a') } }],
  ])('%j: lists and presence', (filter, expected) => {
    expect(parseFilter(filter)).toEqual(expected);
  });
});

describe('fields', () => {
  test.each<[string, FilterField]>([
    ...SYSTEM_FIELDS.map((name): [string, FilterField] => [name, system(name)]),
    ['ID', system('uid')],
    ['Episode_Uid', system('uid')],
    ['session', system('session_key')],
    ['TIMESTAMP', system('created_at')],
    ['set', system('set_id')],
    ['category', system('category_name')],
    ['semantic_category_id', system('category_id')],
    ['feature', system('feature_name')],
    ['metadata.user_id', key('user_id')],
    ['m.a.b', key('a.b')],
    ['m.metadata.a', key('metadata.a')],
    ['m.AND', key('AND')],
    ['m.__proto__', key('__proto__')],
    ["metadata.'any key'", key('any key')],
    ['m."user-id"', key('user-id')],
    ["m.'it''s'", key("it's")],
    ["m.'größe ☕'", key('größe ☕')],
  ])('%s', (name, field) => {
    expect(parseFilter(`${name} IS NOT NULL`)).toEqual({ op: 'present', field });
  });

  test.each(['foo', 'Metadata.a', 'M.a', 'metadata', 'constructor', '__proto__', '5'])(
    '%s is unknown, and the answer names the known ones',
    (name) => {
      const problem = problemOf(`m.a=1 AND ${name}=1`);
      expect(problem).toMatchObject({ type: 'filter_unknown_field', loc: ['body', 'filter', 11] });
      expect(problem.msg).toContain(`'${name}'`);
      expect(problem.msg).toMatch(/uid, .*metadata\.<key>/);
    },
  );

  test.each(['m.', 'metadata.', "m.''"])('%s has no key', (name) => {
    expect(problemOf(`${name} = 1`)).toMatchObject({
      type: 'filter_unknown_field',
      loc: ['body', 'filter', 1],
    });
  });
});

describe('created_at and updated_at compare with moments only', () => {
  test.each([
    "date('2024-05-01T12:00:00+02:00')",
    "'2024-05-01T10:00:00Z'",
    '"2024-05-01 10:00:00"',
    '2024-05-01T10:00:00Z',
    '2024-05-01T10:00',
    '2024-05-01T06:00:00-0400',
    '1714557600',
    '1714557600.0',
    '1714557600000',
  ])('created_at >= %s', (moment) => {
    const value = instant('2024-05-01T10:00:00.000000Z');
    expect(parseFilter(`created_at >= ${moment}`)).toEqual(compare(system('created_at'), '>=', value));
    expect(parseFilter(`updated_at >= ${moment}`)).toEqual(compare(system('updated_at'), '>=', value));
  });

  test('a list of moments', () => {
    expect(parseFilter("created_at IN ('2024-05-01', '2024-05-02')")).toEqual({
      op: 'in',
      field: system('created_at'),
      values: [instant('2024-05-01T00:00:00.000000Z'), instant('2024-05-02T00:00:00.000000Z')],
    });
  });

  test.each(['yesterday', "'garbage'", "date('2024-02-30')", 'true', '99999999999999999999', "''"])(
    'not with %s',
    (value) => {
      expect(problemOf(`created_at < ${value}`)).toMatchObject({
        type: 'filter_value',
        loc: ['body', 'filter', 14],
      });
    },
  );
});

describe('what is wrong is said with its position', () => {
  test.each<[string, number, string, RegExp]>([
    ['m.a', 4, 'filter_syntax', /found the end, expected IN, IS, NOT or a comparison/],
    ['m.a=', 5, 'filter_syntax', /found the end, expected a value or date/],
    ['m.a==1', 5, 'filter_syntax', /found "="/],
    ['m.a=1 m.b=2', 7, 'filter_syntax', /found "m\.b", expected AND, OR or the end of the filter/],
    ['m.a=1 AND', 10, 'filter_syntax', /found the end, expected "\(", NOT or a field/],
    ['AND m.a=1', 1, 'filter_syntax', /found "AND"/],
    ['(m.a=1', 7, 'filter_syntax', /found the end, expected "\)"/],
    ['m.a=1)', 6, 'filter_syntax', /found "\)"/],
    ['()', 2, 'filter_syntax', /found "\)"/],
    ['m.a IN ()', 9, 'filter_syntax', /found "\)", expected a value/],
    ['m.a IN (1', 10, 'filter_syntax', /expected "\)" or ","/],
    ['m.a IN 1', 8, 'filter_syntax', /expected "\("/],
    ['m.a IS 5', 8, 'filter_syntax', /found "5", expected NOT or NULL/],
    ['m.a=- 1', 5, 'filter_syntax', /found "-"/],
    ['m.a=+1', 5, 'filter_syntax', /found "\+"/],
    ['m.a=a-b', 6, 'filter_syntax', /found "-"/],
    ["m.a='it's'", 9, 'filter_syntax', /found "s"/],
    ["m.a='x", 5, 'filter_syntax', /does not end/],
    ["m.'a = 1", 3, 'filter_syntax', /does not end/],
    ['m.a=“x”', 5, 'filter_syntax', /found "“"/],
    ["m.b='😀' ; DROP TABLE", 9, 'filter_syntax', /found ";"/],
    ['m.user-id=1', 7, 'filter_syntax', /written in quotes: metadata\.'any key'/],
    ['m.größe=1', 5, 'filter_syntax', /found "ö".*written in quotes/],
    ['m.a=date(5)', 10, 'filter_syntax', /found "5", expected a date in quotes/],
    ["m.a=date('garbage')", 5, 'filter_value', /date\(\) takes a moment.*garbage/],
    ['m.a=NULL', 5, 'filter_null', /IS NULL/],
    ['m.a != null', 8, 'filter_null', /IS NULL/],
    ['m.a IN (NULL)', 9, 'filter_null', /IS NULL/],
    ["m.a IN (1, 'x')", 12, 'filter_value', /only whole numbers or only texts/],
    ['m.a IN (1.5)', 9, 'filter_value', /only whole numbers/],
    ['m.a IN (true)', 9, 'filter_value', /only whole numbers/],
    ["m.a IN (date('2024-05-01'))", 9, 'filter_value', /only whole numbers/],
    ['m.a<123456789012345678', 5, 'filter_value', /too large a number/],
  ])('%j at %d', (filter, position, type, msg) => {
    const problem = problemOf(filter);
    expect(problem).toMatchObject({ loc: ['body', 'filter', position], type });
    expect(problem.msg).toMatch(msg);
    expect(problem.msg).toContain(`position ${position}:`);
  });
});

describe('limits', () => {
  test('a filter is as long as it may be, counted in characters, and no longer', () => {
    const filter = (length: number): string => `m.a='${'😀'.repeat(length - 6)}'`;
    expect(parseFilter(filter(4096))).toBeDefined();
    expect(problemOf(filter(4097))).toMatchObject({ loc: ['body', 'filter'], type: 'string_too_long' });
  });

  test.each(['(', 'NOT ', '(NOT '])('%j is nested as deep as it may be, and no deeper', (step) => {
    const nested = (depth: number): string => {
      const parentheses = step.startsWith('(') ? ')'.repeat(depth) : '';
      return `${step.repeat(depth)}m.a=1${parentheses}`;
    };
    const levels = step === '(NOT ' ? 16 : 32;
    expect(parseFilter(nested(levels))).toBeDefined();
    expect(problemOf(nested(levels + 1)).type).toBe('filter_too_deep');
  });

  test('neighbours are not nested', () => {
    expect(parseFilter(Array.from({ length: 100 }, () => "(NOT m.a='1')").join(' AND '))).toBeDefined();
  });

  test('there are as many conditions as there may be, and no more', () => {
    const filter = (terms: number): string => Array.from({ length: terms }, () => "m.a='1'").join(' OR ');
    expect(parseFilter(filter(256))).toBeDefined();
    expect(problemOf(filter(257))).toMatchObject({
      type: 'filter_too_many_terms',
      loc: ['body', 'filter', 2817],
    });
    expect(problemOf("m.a='1' OR m.b='1'", { maxTerms: 1 }).type).toBe('filter_too_many_terms');
  });

  test.each([
    ['m.a>5', 32],
    ['m.a=1.5', 32],
    ["m.a<date('2024-05-01')", 32],
    ['m.a NOT IN (1, 2, 3)', 32],
    ['sequence_num>5', 256],
    ["created_at>date('2024-05-01')", 256],
  ])('metadata that is read as a number or a date counts eight times: %s, %i times', (condition, times) => {
    const filter = (terms: number): string => Array.from({ length: terms }, () => condition).join(' OR ');
    const wide = { maxLength: 100_000 };
    expect(parseFilter(filter(times), wide)).toBeDefined();
    expect(problemOf(filter(times + 1), wide).type).toBe('filter_too_many_terms');
  });

  test.each([
    '('.repeat(4000),
    'NOT '.repeat(1000),
    '((NOT'.repeat(800),
    "m.a='".repeat(800),
    '-'.repeat(4000),
  ])('hostile input is refused and takes no stack (%#)', (filter) => {
    expect(problemOf(filter).loc.slice(0, 2)).toEqual(['body', 'filter']);
  });
});

describe('whatever comes', () => {
  const fragments = [
    'm.',
    'a',
    '=',
    "'",
    '"',
    '(',
    ')',
    ' AND ',
    'NOT ',
    ' IN ',
    ',',
    'date(',
    '-',
    '1',
    '😀',
    ' ',
  ];

  test.each([
    ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
    [
      'pieces of filters',
      fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((all) => all.join('')),
    ],
  ])('%s is understood or refused as invalid', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (filter) => {
        try {
          parseFilter(filter);
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError', kind: 'invalid', code: 'invalid_filter' });
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a filter that is written down and read again is the same', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(parseFilter(print(filter))).toEqual(filter);
      }),
      { numRuns: 1_000 },
    );
  });
});

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const anyText = fc.string({ unit: 'grapheme', maxLength: 8 });
const anyInstant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date): Literal => instant(`${date.toISOString().slice(0, -1)}000Z`));
const anyNumber = fc
  .oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 1000),
  )
  .map((n): Literal => number(n + 0));
const anyField = fc.oneof(
  fc.constantFrom(...SYSTEM_FIELDS.filter((name) => !MOMENT_FIELDS.has(name))).map(system),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map(key),
);
const anyLiteral = fc.oneof(
  anyText.map(text),
  anyNumber,
  anyInstant,
  fc.boolean().map((value): Literal => ({ type: 'boolean', value })),
);
const anyComparison = fc.constantFrom<Comparison>('=', '!=', '<', '<=', '>', '>=');
const anyList = fc.oneof(
  fc.array(anyText.map(text), { minLength: 1, maxLength: 4 }),
  fc.array(fc.maxSafeInteger().map(number), { minLength: 1, maxLength: 4 }),
);

const { filter: anyFilter } = fc.letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
  leaf: fc.oneof(
    fc.tuple(anyField, anyComparison, anyLiteral).map((parts) => compare(...parts)),
    fc
      .tuple(fc.constantFrom(...[...MOMENT_FIELDS].map(system)), anyComparison, anyInstant)
      .map((parts) => compare(...parts)),
    fc.tuple(anyField, anyList).map(([field, values]): Filter => ({ op: 'in', field, values })),
    anyField.map((field): Filter => ({ op: 'present', field })),
  ),
  filter: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    tie('filter').map((arg): Filter => ({ op: 'not', arg })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
      .map(([op, args]): Filter => ({ op, args })),
  ),
}));

function print(filter: Filter): string {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.args.map((arg) => `(${print(arg)})`).join(` ${filter.op.toUpperCase()} `);
    case 'not':
      return `NOT (${print(filter.arg)})`;
    case 'compare':
      return `${printField(filter.field)} ${filter.comparison} ${printLiteral(filter.value)}`;
    case 'in':
      return `${printField(filter.field)} IN (${filter.values.map(printLiteral).join(', ')})`;
    case 'present':
      return `${printField(filter.field)} IS NOT NULL`;
  }
}

const printField = (field: FilterField): string =>
  field.kind === 'system' ? field.name : `metadata.${quoted(field.key)}`;

function printLiteral(literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return quoted(literal.value);
    case 'instant':
      return `date('${literal.value}')`;
    case 'number':
    case 'boolean':
      return String(literal.value);
  }
}
