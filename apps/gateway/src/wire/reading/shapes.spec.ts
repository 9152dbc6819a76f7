import { describe, expect, test } from '@jest/globals';
import { AppError, type Filter, type Instant, type Problem } from '@loci/contracts';
import { loadEnv } from '@loci/platform';
import { GatewayEnv } from '../../env.js';
import { freeForm, listOf, mapOf, textMap } from './collections.js';
import { filter } from './filter.js';
import { type Reader } from './place.js';
import { boolean, finiteNumber, integer, moment, oneOf } from './scalars.js';
import { objectOf, readBody, Wire } from './shapes.js';
import { filledText, identifier, text } from './text.js';

const limits = loadEnv(GatewayEnv, { NATS_URL: 'nats://x' });

/** Reads one value as the field `field` of a body. */
function read(reader: Reader<unknown>, value: unknown): unknown {
  class Body {
    @Wire(reader)
    readonly field: unknown;
  }
  return readBody(Body, { field: value }, limits).field;
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
  test.each<[string, Reader<unknown>, unknown, unknown]>([
    ['text', text(3), 'äöü', 'äöü'],
    ['text counted in characters', text(3), '😀😀😀', '😀😀😀'],
    ['text with pairs', text(3), '\ud83d\ude00', '😀'],
    ['identifier', identifier, 'ａ٣_:-日', 'ａ٣_:-日'],
    ['integer', integer({ min: 0, max: 5 }), 5, 5],
    ['integer', integer({ max: 5 }), -7, -7],
    ['integer without a fraction', integer({ max: 5 }), 3.0, 3],
    ['integer as text', integer({ max: 'MAX_TOP_K' }), ' +42 ', 42],
    ['number', finiteNumber, 0.25, 0.25],
    ['number as text', finiteNumber, '-1.5e1', -15],
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
    ['ISO', moment, '2024-05-01T12:00:00.000001+02:00', '2024-05-01T10:00:00.000001Z'],
    ['one of', oneOf(['a', 'b']), 'b', 'b'],
    ['list', listOf(boolean, { max: 2 }), ['yes', 0], [true, false]],
    ['map', mapOf(boolean, limitsOfMap), { a: 'on' }, { a: true }],
    ['object', freeForm, { a: [{}] }, { a: [{}] }],
    ['filter', filter, "m.a='x'", expect.objectContaining({ op: 'compare' })],
    ['blank filter', filter, '  ', undefined],
  ])('%s', (_, reader, value, expected) => {
    expect(read(reader, value)).toEqual(expected);
  });

  test('a map keeps every key, whatever JavaScript thinks of it', () => {
    const json = '{"__proto__":"a","constructor":"b","toString":"c"}';
    const reader = textMap({ maxKeys: 5, maxKeyChars: 20, maxChars: 5 });
    expect(JSON.stringify(read(reader, JSON.parse(json)))).toBe(json);
  });
});

describe('values as they are refused', () => {
  test.each<[string, Reader<unknown>, unknown, string]>([
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
    ['a word as number', finiteNumber, 'NaN', 'float_parsing'],
    ['a list as number', finiteNumber, [], 'float_type'],
    ['a huge number', finiteNumber, '1e999', 'finite_number'],
    ['maybe', boolean, 'maybe', 'bool_parsing'],
    ['2', boolean, 2, 'bool_parsing'],
    ['null', boolean, null, 'bool_type'],
    ['a word as moment', moment, 'now', 'datetime_parsing'],
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
  ])('%s', (_, reader, value, type) => {
    const problems = problemsOf(() => read(reader, value));
    expect(problems).toEqual([{ loc: expect.any(Array), msg: expect.any(String), type }]);
    expect(problems[0]?.loc.slice(0, 2)).toEqual([
      'body',
      reader === filter && type === 'filter_syntax' ? 'filter' : 'field',
    ]);
  });
});

class Inner {
  @Wire(text(5))
  readonly name!: string;
}

class Base {
  @Wire(identifier, { default: 'universal' })
  readonly id!: string;
}

class Outer extends Base {
  @Wire(listOf(objectOf(Inner), { max: 5 }))
  readonly items!: readonly Inner[];

  @Wire(textMap({ maxKeys: 5, maxKeyChars: 5, maxChars: 5 }), { default: {} })
  readonly map!: Readonly<Record<string, string>>;

  @Wire(moment, { optional: true, nullable: true })
  readonly at?: Instant | undefined;

  @Wire(integer({ max: 5 }), { default: 3, nullable: true })
  readonly count!: number;

  @Wire(filter, { optional: true })
  readonly filter?: Filter | undefined;
}

describe('bodies', () => {
  test('are instances of their class, with defaults, without unknown fields', () => {
    const body = readBody(Outer, { items: [{ name: 'a', x: 1 }], x: 1, at: null, count: null }, limits);
    expect(body).toBeInstanceOf(Outer);
    expect(body.items[0]).toBeInstanceOf(Inner);
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
    class Many {
      @Wire(listOf(text(5), { max: 5_000 }))
      readonly items!: readonly string[];
    }
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

test('a declaration that its property cannot hold does not compile', () => {
  class Wrong {
    // @ts-expect-error a number where a text is read
    @Wire(text(5))
    readonly a!: number;

    // @ts-expect-error never undefined, although it may be left out
    @Wire(text(5), { optional: true })
    readonly b!: string;

    // @ts-expect-error a default of another type
    @Wire(text(5), { default: 5 })
    readonly c!: string;
  }
  expect(new Wrong()).toBeDefined();
});
