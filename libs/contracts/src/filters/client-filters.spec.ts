import { describe, expect, test } from '@jest/globals';
import { allOf, anyOf, filter, not, where } from '@loci/client';
import fc from 'fast-check';
import { type Filter, type FilterField } from './filter.js';
import { parseFilter } from './parse-filter.js';

const hostile = fc.constantFrom(
  "x' OR metadata.user_id IS NOT NULL OR metadata.a='",
  "'",
  "''",
  '"',
  "\\'",
  "') OR (metadata.user_id != '",
  '--',
  'NULL',
  "date('2024-01-01')",
  '2024-01-01',
  '1',
  'true',
);
const texts = fc
  .oneof(
    hostile,
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )
  .filter((text) => !text.includes('\0'));
const keys = texts.filter((text) => text !== '');

const read = (given: { readonly text: string }): Filter | undefined =>
  parseFilter(given.text, { maxLength: 1_000_000 });

const metadata = (key: string): FilterField => ({ kind: 'metadata', key });
const is = (field: FilterField, value: string | number | boolean): Filter => ({
  op: 'compare',
  field,
  comparison: '=',
  value: { type: typeof value, value } as Filter & { op: 'compare' } extends { value: infer V } ? V : never,
});

describe('what the client writes is what the parser reads, whatever is in it', () => {
  test('where: any key and any text', () => {
    fc.assert(
      fc.property(keys, texts, texts, (key, value, user) => {
        expect(read(where({ user_id: user, metadata: { [key]: value } }))).toEqual({
          op: 'and',
          args: [is(metadata('user_id'), user), is(metadata(key), value)],
        });
      }),
    );
  });

  test('where: lists, numbers, booleans, dates', () => {
    const numbers = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }));
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 5 }),
        numbers,
        fc.boolean(),
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (list, number, flag, date) => {
          const written = where({ producer_id: list, metadata: { n: number, flag }, at: { since: date } });
          expect(read(written)).toEqual({
            op: 'and',
            args: [
              {
                op: 'in',
                field: { kind: 'system', name: 'producer_id' },
                values: list.map((value) => ({ type: 'string', value })),
              },
              is(metadata('n'), number + 0),
              is(metadata('flag'), flag),
              {
                op: 'compare',
                field: { kind: 'system', name: 'created_at' },
                comparison: '>=',
                value: { type: 'instant', value: expect.stringContaining(date.toISOString().slice(0, 23)) },
              },
            ],
          });
        },
      ),
    );
  });

  test('the tag: values, keys and lists', () => {
    fc.assert(
      fc.property(keys, texts, fc.array(texts, { minLength: 1, maxLength: 4 }), (key, value, list) => {
        const written = filter`metadata.${key} = ${value} AND (m.${key} != ${value} OR value IN ${list})`;
        expect(read(written)).toEqual({
          op: 'and',
          args: [
            is(metadata(key), value),
            {
              op: 'or',
              args: [
                { ...is(metadata(key), value), comparison: '!=' },
                {
                  op: 'in',
                  field: { kind: 'system', name: 'value' },
                  values: list.map((text) => ({ type: 'string', value: text })),
                },
              ],
            },
          ],
        });
      }),
    );
  });

  test('compositions mean what they compose', () => {
    const leaf = fc.tuple(keys, texts).map(([key, value]) => ({
      written: where({ metadata: { [key]: value } }),
      meant: is(metadata(key), value),
    }));
    const { tree } = fc.letrec<{ tree: { written: ReturnType<typeof where>; meant: Filter } }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        tie('tree').map(({ written, meant }) => ({
          written: not(written),
          meant: { op: 'not' as const, arg: meant },
        })),
        fc
          .tuple(fc.constantFrom('and' as const, 'or' as const), tie('tree'), tie('tree'))
          .map(([op, a, b]) => ({
            written: (op === 'and' ? allOf : anyOf)(a.written, b.written),
            meant: { op, args: [a.meant, b.meant] },
          })),
      ),
    }));
    fc.assert(
      fc.property(tree, ({ written, meant }) => {
        expect(flat(read(written))).toEqual(flat(meant));
      }),
    );
  });
});

/** `a AND (b AND c)` means `a AND b AND c`. */
function flat(given: Filter | undefined): Filter | undefined {
  if (given?.op === 'not') return { op: 'not', arg: flat(given.arg)! };
  if (given?.op !== 'and' && given?.op !== 'or') return given;
  const { op } = given;
  const args = given.args.flatMap((arg): readonly Filter[] => {
    const inner = flat(arg)!;
    return inner.op === op ? inner.args : [inner];
  });
  return { op, args };
}

test('comparisons and presence', () => {
  const at = '2026-05-01T10:00:00.123456+02:00';
  const written = where({
    at: { since: at, until: 1_800_000_000 },
    category_name: { not: 'profile', exists: true },
    tag: null,
    metadata: { n: { gte: -1.5, lt: 2 }, list: { in: [1, 2], notIn: [] }, small: 1e-7, none: [] },
  });
  expect(written.text).toBe(
    [
      `created_at >= date('${at}')`,
      'created_at < 1800000000',
      "category_name != 'profile'",
      'category_name IS NOT NULL',
      'tag IS NULL',
      "metadata.'n' >= -1.5",
      "metadata.'n' < 2",
      "metadata.'list' IN (1, 2)",
      "(metadata.'list' IS NULL OR metadata.'list' IS NOT NULL)",
      "metadata.'small' = 0.0000001",
      "metadata.'none' IS NULL",
      "metadata.'none' IS NOT NULL",
    ].join(' AND '),
  );
  expect(read(written)).toMatchObject({ op: 'and' });
});
