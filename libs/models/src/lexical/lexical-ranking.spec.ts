import { describe, expect, test } from '@jest/globals';
import { encodeTexts, rankLexically } from './lexical-ranking.js';

const documents = [
  { id: 'market', text: 'Anna went to the market' },
  { id: 'painting', text: 'Anna is painting a sunrise over the lake' },
  { id: 'lake', text: 'They swam in the lake, the coldest lake of all' },
];

const encoded = encodeTexts(documents);

const idsFor = (query: string): string[] => rankLexically(query, encoded, 0).map(({ id }) => id);

test('the text with the rarer term comes first, and texts without a term of the query are left out', () => {
  expect(idsFor('Did Anna paint?')).toEqual(['painting', 'market']);
});

test('the text that says it more often comes first', () => {
  expect(idsFor('lake')).toEqual(['lake', 'painting']);
});

test('equal scores keep the order of the texts', () => {
  const equal = encodeTexts(['b', 'a', 'c'].map((id) => ({ id, text: 'the same words' })));
  expect(rankLexically('same', equal, 0).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('a term that every text has still finds them all, with a score above 0', () => {
  const ranked = rankLexically('apple', encodeTexts([{ id: 'only', text: 'an apple' }]), 0);
  expect(ranked).toHaveLength(1);
  expect(ranked[0]?.score).toBeGreaterThan(0);
});

test('nothing to ask for or nothing to rank is an empty answer', () => {
  expect(rankLexically('', encoded, 0)).toEqual([]);
  expect(rankLexically('Anna', [], 0)).toEqual([]);
});

test('a text that repeats the query covers all of it, another one a part', () => {
  const [first, second] = rankLexically('Anna is painting a sunrise over the lake', encoded, 1_000);
  expect(first).toMatchObject({ id: 'painting', coverage: expect.closeTo(1) });
  expect(second?.coverage).toBeLessThan(0.5);
});

describe('texts of a large collection', () => {
  const [market] = encoded;

  test('are not taken for common because they are few: one text alone scores a word like a rare one', () => {
    const alone = rankLexically('market', market ? [market] : [], 1_000);
    expect(alone[0]?.score).toBeGreaterThan(3);
  });

  test('weigh a word that all of many texts have as a common one', () => {
    const many = encodeTexts(
      Array.from({ length: 500 }, (_, n) => ({ id: String(n), text: n === 7 ? 'tea zeppelin' : 'tea' })),
    );
    const [first, second] = rankLexically('tea zeppelin', many, 1_000);
    expect(first?.id).toBe('7');
    expect(second?.score).toBeLessThan(0.25);
  });
});
