import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import {
  boolean,
  byDefault,
  integer,
  listOf,
  mapOf,
  nullish,
  number,
  oneOf,
  parsedFrom,
  read,
  refusedAs,
  text,
  Unreadable,
} from './index.js';

const LIMITS = { MAX_ITEMS: 2 };

const schema = Type.Object({
  a: text(3),
  b: nullish(integer({ min: 0, max: 9 })),
  c: byDefault(listOf(oneOf(['x', 'y']), { min: 1, max: 'MAX_ITEMS' }), ['x']),
  d: nullish(mapOf(boolean, { maxKeys: 2, maxKeyChars: 2 })),
  e: nullish(number({ exclusiveMinimum: 0, multipleOf: 1 })),
  f: nullish(parsedFrom({ type: 'string' }, text(5), (value) => value.length)),
  g: nullish(refusedAs(listOf(text(1), { max: 3 }), 'list_type', 'Input should be a list of letters')),
});

const outcomeOf = (value: unknown) => read(schema, value, { path: ['body'], limits: LIMITS });

const problemsOf = (value: unknown) => {
  const outcome = outcomeOf(value);
  return 'problems' in outcome ? outcome.problems.map(({ loc, type }) => [type, ...loc]) : [];
};

/** Values that come close to the schema, so that each keyword refuses some and accepts others. */
const near = fc.record(
  Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [
      name,
      fc.oneof(
        fc.constantFrom(
          null,
          '',
          '5',
          'x',
          'xxxx',
          'x\0',
          '\ud800',
          -1,
          0,
          1,
          0.5,
          99,
          Infinity,
          true,
          'yes',
        ),
        fc.array(fc.constantFrom('x', 'z', 'xx', 1, null), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom('a', 'bb', 'ccc', '__proto__', '\0'),
          fc.constantFrom(true, 'no', 'x', 2),
        ),
        fc.jsonValue(),
      ),
    ]),
  ),
  { requiredKeys: [] },
);

test.each(['1', '1.', '.5', '+1.5', ' 15e-1 ', '1e3'])('a number may come as text: %j', (text) => {
  expect(read(Type.Object({ n: number({}) }), { n: text }, { path: ['body'], limits: LIMITS })).toEqual({
    value: { n: Number(text) },
  });
});

test.each(['1', '1e', '.1', ' ', '1.'])('a number is told from many %j in a moment', (part) => {
  // of the processor, not of the clock: what else the machine does takes none of it
  const before = process.cpuUsage();
  expect(problemsOf({ a: 'x', b: `${part.repeat(100_000)}x`, e: `${part.repeat(100_000)}x` })).toEqual([
    ['int_parsing', 'body', 'b'],
    ['float_parsing', 'body', 'e'],
  ]);
  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});

describe('what is refused', () => {
  test('is a map with too many keys, for their number alone, whatever else is wrong with them', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => [`key ${index}`, 'neither'] as const);
    const outcome = outcomeOf({ a: 'x', d: Object.fromEntries(keys) });
    const msg = 'Dictionary should have at most 2 items after validation, not 1000';
    expect(outcome).toEqual({ problems: [{ loc: ['body', 'd'], type: 'too_long', msg }] });
  });

  test('is explained, value by value, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.jsonValue()), (value) => {
        const before = structuredClone(value);
        const outcome = outcomeOf(value);
        expect(value).toEqual(before);
        if (!('problems' in outcome)) return;
        const paths = outcome.problems.map(({ loc }) => JSON.stringify(loc));
        expect(new Set(paths).size).toBe(paths.length);
        for (const { loc, msg, type } of outcome.problems) {
          expect(loc[0]).toBe('body');
          expect(msg).toMatch(/^.{5,}$/);
          expect(type).toMatch(/^[a-z_]+$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('has one problem for each value, in the order of the schema', () => {
    const value = { f: 'toolong', d: { ccc: true, a: 'x' }, c: ['z', 'x'], b: '1.5', e: 1.5, g: ['aa'] };
    expect(problemsOf(value)).toEqual([
      ['missing', 'body', 'a'],
      ['int_parsing', 'body', 'b'],
      ['enum', 'body', 'c', 0],
      ['string_too_long', 'body', 'd', 'ccc'],
      ['bool_parsing', 'body', 'd', 'a'],
      ['int_type', 'body', 'e'],
      ['string_too_long', 'body', 'f'],
      ['list_type', 'body', 'g'],
    ]);
  });

  test('is not looked into when it is too large', () => {
    const value = { a: 'x', c: ['z', 'z', 'z'], d: { a: 'x', b: 'x', c: 'x' } };
    expect(problemsOf(value)).toEqual([
      ['too_long', 'body', 'c'],
      ['too_long', 'body', 'd'],
    ]);
  });
});

test('what is accepted is read in the form of the schema', () => {
  const value = { a: 'x', b: '5', d: { __proto__: null, a: 'on' }, e: null, f: 'four', other: 1 };
  expect(outcomeOf(value)).toEqual({ value: { a: 'x', b: 5, c: ['x'], d: { a: true }, f: 4 } });
});

test('a value that cannot be parsed never passes', () => {
  const never = Type.Object({
    a: parsedFrom({}, Type.Unknown(), () => Unreadable.as({ type: 'no', msg: 'No.' })),
  });
  expect(read(never, { a: 1 }, { path: [] })).toEqual({ problems: [{ loc: ['a'], type: 'no', msg: 'No.' }] });
});
