import { describe, expect, test } from '@jest/globals';
import { AppError, type Problem } from '@loci/contracts';
import { loadEnv } from '@loci/platform';
import {
  boolean,
  byDefault,
  filledText,
  freeForm,
  integer,
  listOf,
  mapOf,
  nullAsAbsent,
  nullish,
  number,
  oneOf,
  optional,
  text,
  textMap,
} from '@loci/platform/schema';
import { type TSchema } from 'typebox';
import { GatewayEnv } from '../../env.js';
import { filter } from './filter.js';
import { identifier } from './identifier.js';
import { moment, momentInQuery } from './moment.js';
import { readBody, request } from './request.js';

const limits = loadEnv(GatewayEnv, { NATS_URL: 'nats://x' });

/** Reads one value as the field `field` of a body. */
function read(schema: TSchema, value: unknown): unknown {
  return readBody(request('Body', { field: schema }), { field: value }, limits).field;
}

function problemsOf(work: () => unknown): readonly Problem[] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error.details.problems ?? [];
    throw error;
  }
  throw new Error('accepted');
}

const limitsOfMap = { maxKeys: 2, maxKeyChars: 3 };

describe('values as they are taken', () => {
  test.each<[string, TSchema, unknown, unknown]>([
    ['text', text(3), 'äöü', 'äöü'],
    ['text counted in characters', text(3), '😀😀😀', '😀😀😀'],
    ['text with pairs', text(3), '\ud83d\ude00', '😀'],
    ['identifier', identifier, 'ａ٣_:-日', 'ａ٣_:-日'],
    ['integer', integer({ min: 0, max: 5 }), 5, 5],
    ['integer', integer({ max: 5 }), -7, -7],
    ['integer without a fraction', integer({ max: 5 }), 3.0, 3],
    ['integer as text', integer({ max: 'MAX_TOP_K' }), ' +42 ', 42],
    ['number', number({}), 0.25, 0.25],
    ['number as text', number({}), '-1.5e1', -15],
    ['true', boolean, true, true],
    ['1', boolean, 1, true],
    ['Yes', boolean, 'Yes', true],
    ['ON', boolean, 'ON', true],
    ['t', boolean, 't', true],
    ['0', boolean, 0, false],
    ['off', boolean, 'off', false],
    ['False', boolean, 'False', false],
    ['seconds', moment, 1714557600, '2024-05-01T10:00:00.000000Z'],
    ['milliseconds', moment, 1714557600123, '2024-05-01T10:00:00.123000Z'],
    ['seconds in a query', momentInQuery, '1714557600', '2024-05-01T10:00:00.000000Z'],
    ['milliseconds in a query', momentInQuery, '1714557600123', '2024-05-01T10:00:00.123000Z'],
    ['ISO', moment, '2024-05-01T12:00:00.000001+02:00', '2024-05-01T10:00:00.000001Z'],
    ['one of', oneOf(['a', 'b']), 'b', 'b'],
    ['list', listOf(boolean, { max: 2 }), ['yes', 0], [true, false]],
    ['map', mapOf(boolean, limitsOfMap), { a: 'on' }, { a: true }],
    ['object', freeForm, { a: [{}] }, { a: [{}] }],
    ['filter', filter, "m.a='x'", expect.objectContaining({ op: 'compare' })],
    ['blank filter', filter, '  ', undefined],
  ])('%s', (_, schema, value, expected) => {
    expect(read(schema, value)).toEqual(expected);
  });

  test('a map keeps every key, whatever JavaScript thinks of it', () => {
    const json = '{"__proto__":"a","constructor":"b","toString":"c"}';
    const schema = textMap({ maxKeys: 5, maxKeyChars: 20, maxChars: 5 });
    expect(JSON.stringify(read(schema, JSON.parse(json)))).toBe(json);
  });
});

describe('values as they are refused', () => {
  test.each<[string, TSchema, unknown, string]>([
    ['a number as text', text(3), 5, 'string_type'],
    ['null as text', text(3), null, 'string_type'],
    ['four characters', text(3), '😀😀😀😀', 'string_too_long'],
    ['far too many characters', text(3), 'x'.repeat(1e6), 'string_too_long'],
    ['NUL', text(3), 'a\0', 'string_unicode'],
    ['half of a pair', text(3), '\ude00\ud83d', 'string_unicode'],
    ['an empty text', filledText(3), '', 'string_too_short'],
    ['an empty identifier', identifier, '', 'string_pattern_mismatch'],
    ['an emoji as identifier', identifier, '😀', 'string_pattern_mismatch'],
    ['a long identifier', identifier, 'x'.repeat(256), 'string_too_long'],
    ['a text as integer', integer({ max: 5 }), 'x', 'int_parsing'],
    ['an empty text as integer', integer({ max: 5 }), '', 'int_parsing'],
    ['true as integer', integer({ max: 5 }), true, 'int_type'],
    ['a fraction', integer({ max: 5 }), 1.5, 'int_from_float'],
    ['infinity', integer({ max: 5 }), Infinity, 'finite_number'],
    ['too small', integer({ min: 1, max: 5 }), 0, 'greater_than_equal'],
    ['too large', integer({ max: 5 }), 6, 'less_than_equal'],
    ['too large as text', integer({ max: 5 }), '9'.repeat(400), 'less_than_equal'],
    ['a word as number', number({}), 'NaN', 'float_parsing'],
    ['a list as number', number({}), [], 'float_type'],
    ['a huge number', number({}), '1e999', 'finite_number'],
    ['maybe', boolean, 'maybe', 'bool_parsing'],
    ['2', boolean, 2, 'bool_parsing'],
    ['null', boolean, null, 'bool_type'],
    ['a word as moment', moment, 'now', 'datetime_parsing'],
    ['seconds as text, but in a query', moment, '1714557600', 'datetime_parsing'],
    ['a year in a query', momentInQuery, '2024', 'datetime_parsing'],
    ['a moment out of all years', moment, 1e300, 'datetime_parsing'],
    ['null as moment', moment, null, 'datetime_type'],
    ['none of', oneOf(['a', 'b']), 'A', 'enum'],
    ['none of, as key of everything', oneOf(['a', 'b']), 'toString', 'enum'],
    ['an object as list', listOf(boolean, { max: 2 }), { length: 0 }, 'list_type'],
    ['a short list', listOf(boolean, { min: 1, max: 2 }), [], 'too_short'],
    ['a long list', listOf(boolean, { max: 2 }), [true, true, true], 'too_long'],
    ['a list as map', mapOf(boolean, limitsOfMap), [], 'dict_type'],
    ['too many keys', mapOf(boolean, limitsOfMap), { a: 1, b: 1, c: 1 }, 'too_long'],
    ['a list as object', freeForm, [], 'dict_type'],
    ['a broken filter', filter, 'm.a', 'filter_syntax'],
    ['a number as filter', filter, 5, 'string_type'],
  ])('%s', (_, schema, value, type) => {
    const problems = problemsOf(() => read(schema, value));
    expect(problems).toEqual([{ loc: expect.any(Array), msg: expect.any(String), type }]);
    expect(problems[0]?.loc.slice(0, 2)).toEqual([
      'body',
      schema === filter && type === 'filter_syntax' ? 'filter' : 'field',
    ]);
  });
});

class Inner extends request('Inner', { name: text(5) }) {}

class Base extends request('Base', { id: byDefault(identifier, 'universal') }) {}

class Outer extends request('Outer', {
  ...Base.schema.properties,
  items: listOf(Inner.schema, { max: 5 }),
  map: byDefault(textMap({ maxKeys: 5, maxKeyChars: 5, maxChars: 5 }), {}),
  at: nullish(moment),
  count: byDefault(nullAsAbsent(integer({ max: 5 })), 3),
  filter: optional(filter),
}) {}

describe('bodies', () => {
  test('are read with defaults and without unknown fields, and stay as they came', () => {
    const given = { items: [{ name: 'a', x: 1 }], x: 1, at: null, count: null };
    const body = readBody(Outer, given, limits);
    expect(given).toEqual({ items: [{ name: 'a', x: 1 }], x: 1, at: null, count: null });
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      id: 'universal',
      items: [{ name: 'a' }],
      map: {},
      count: 3,
    });
  });

  test('are refused with every problem and its place', () => {
    const body = {
      id: '!',
      items: [{}, 5, { name: 'toolong' }],
      map: { a: 1, toolong: 'x' },
      filter: 'm.a=',
    };
    expect(problemsOf(() => readBody(Outer, body, limits)).map(({ loc, type }) => [type, ...loc])).toEqual([
      ['string_pattern_mismatch', 'body', 'id'],
      ['missing', 'body', 'items', 0, 'name'],
      ['model_attributes_type', 'body', 'items', 1],
      ['string_too_long', 'body', 'items', 2, 'name'],
      ['string_type', 'body', 'map', 'a'],
      ['string_too_long', 'body', 'map', 'toolong'],
      ['filter_syntax', 'body', 'filter', 5],
    ]);
  });

  test.each([
    [undefined, 'missing'],
    [null, 'model_attributes_type'],
    [[], 'model_attributes_type'],
  ])('%j is no body', (body, type) => {
    expect(problemsOf(() => readBody(Outer, body, limits))).toEqual([
      { loc: ['body'], msg: expect.any(String), type },
    ]);
  });

  test('do not take fields from their prototype', () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"items":[]}}');
    expect(problemsOf(() => readBody(Outer, hostile, limits))[0]).toMatchObject({ loc: ['body', 'items'] });
    expect(problemsOf(() => readBody(Outer, Object.create({ items: [] }), limits))).toHaveLength(1);
  });

  test('list at most a thousand problems', () => {
    class Many extends request('Many', { items: listOf(text(5), { max: 5_000 }) }) {}
    const body = { items: Array.from({ length: 5_000 }, () => 1) };
    expect(problemsOf(() => readBody(Many, body, limits))).toHaveLength(1_000);
  });

  test('show at most 128 characters of a key', () => {
    const [problem] = problemsOf(() =>
      readBody(Outer, { items: [], map: { ['k'.repeat(1e5)]: 'x' } }, limits),
    );
    expect(problem?.loc.at(-1)).toBe('k'.repeat(128));
  });
});

test('what is read has the type of its schema', () => {
  class Typed extends request('Typed', { a: text(5), b: optional(text(5)) }) {}
  const { a, b } = readBody(Typed, { a: 'x' }, limits);
  // @ts-expect-error a text is no number
  const wrong: number = a;
  // @ts-expect-error it may be left out
  const present: string = b;
  // @ts-expect-error a default of another type
  const schema = byDefault(text(5), 5);
  expect([wrong, present, schema]).toBeDefined();
});

test('a limit that there is not is refused', () => {
  class Unlimited extends request('Unlimited', { a: text('MAX_NOTHING') }) {}
  expect(() => readBody(Unlimited, {}, limits)).toThrow('There is no limit MAX_NOTHING.');
});
