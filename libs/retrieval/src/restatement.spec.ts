import { describe, expect, test } from '@jest/globals';
import { restatement, restatementsOf, type Statement, STATEMENTS_LOOKED_AT } from './restatement.js';

const said = (id: string, atMs: number, more: Partial<Statement> = {}): Statement => ({
  id,
  atMs,
  speaker: 'ann',
  sum: 0.5,
  ...more,
});

const best = said('best', 5, { sum: 1 });

describe('what may say the same as the best candidate', () => {
  const among = (statements: readonly Statement[], asked: 'now' | 'before' = 'now'): string[] | undefined =>
    restatementsOf(statements, asked)?.others.map(({ id }) => id);

  test('is later when the query asks how it is, and earlier when it asks how it was', () => {
    const statements = [best, said('earlier', 4), said('later', 6)];
    expect(among(statements)).toEqual(['later']);
    expect(among(statements, 'before')).toEqual(['earlier']);
  });

  test('is of the same speaker, and has to do with the query', () => {
    expect(among([best, said('a', 6, { speaker: 'bob' }), said('b', 6, { sum: 0.19 })])).toBeUndefined();
  });

  test('is not right beside it, where the vector of one tells of the other', () => {
    expect(among([best, said('after', 6, { previous: 'best' })])).toBeUndefined();
    expect(among([{ ...best, previous: 'ahead' }, said('ahead', 4)], 'before')).toBeUndefined();
  });

  test('is among the first', () => {
    const many = Array.from({ length: STATEMENTS_LOOKED_AT - 1 }, (_, index) => said(String(index), 1));
    expect(among([best, ...many, said('late', 6)])).toBeUndefined();
  });

  test('is nothing where nothing was found', () => {
    expect(among([])).toBeUndefined();
  });
});

describe('the other statement about the same thing', () => {
  const curve = { midpoint: 0.35, scale: 0.1 };
  const others = [said('a', 6), said('b', 7, { sum: 0.9 }), said('c', 8)];
  const chosen = (cosines: Readonly<Record<string, number>>, isOfAsker = true): string | undefined =>
    restatement(
      others,
      Object.entries(cosines).map(([id, score]) => ({ id, score })),
      curve,
      isOfAsker,
    )?.id;

  test('is near to the best candidate', () => {
    expect(chosen({ a: 0.34, b: 0.1, c: 0.36 })).toBe('c');
    expect(chosen({ a: 0.3, b: 0.3 })).toBeUndefined();
  });

  test('answers the query as well', () => {
    expect(chosen({ a: 0.5, b: 0.4, c: 0.1 })).toBe('b');
    expect(chosen({ a: 0.7, b: 0.4, c: 0.1 })).toBe('a');
  });

  test('is none where much is said about the thing', () => {
    expect(chosen({ a: 0.7, b: 0.4, c: 0.5 })).toBeUndefined();
    expect(chosen({ a: 0.7, b: 0.4 }, false)).toBeUndefined();
    expect(chosen({ a: 0.7 }, false)).toBe('a');
  });
});
