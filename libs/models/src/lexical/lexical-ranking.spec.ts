import { expect, test } from '@jest/globals';
import { rankLexically } from './lexical-ranking.js';

const documents = [
  { id: 'market', text: 'Anna went to the market' },
  { id: 'painting', text: 'Anna is painting a sunrise over the lake' },
  { id: 'lake', text: 'They swam in the lake, the coldest lake of all' },
];

const idsFor = (query: string): string[] => rankLexically(query, documents).map(({ id }) => id);

test('the text with the rarer term comes first, and texts without a term of the query are left out', () => {
  expect(idsFor('Did Anna paint?')).toEqual(['painting', 'market']);
});

test('the text that says it more often comes first', () => {
  expect(idsFor('lake')).toEqual(['lake', 'painting']);
});

test('equal scores keep the order of the texts', () => {
  const twins = ['b', 'a', 'c'].map((id) => ({ id, text: 'the same words' }));
  expect(rankLexically('same', twins).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('a term that every text has still finds them all, with a score above 0', () => {
  const ranked = rankLexically('apple', [{ id: 'only', text: 'an apple' }]);
  expect(ranked).toHaveLength(1);
  expect(ranked[0]?.score).toBeGreaterThan(0);
});

test('nothing to ask for or nothing to rank is an empty answer', () => {
  expect(rankLexically('', documents)).toEqual([]);
  expect(rankLexically('Anna', [])).toEqual([]);
});
