import { expect, test } from '@jest/globals';
import { encodeTexts, UNKNOWN_RARITY } from '../../test/lexical.js';
import { encodedQuery, rankLexically } from './lexical-ranking.js';
import { TermRarity } from './term-rarity.js';

const documents = [
  { id: 'market', text: 'Anna went to the market' },
  { id: 'painting', text: 'Anna is painting a sunrise over the lake' },
  { id: 'lake', text: 'They swam in the lake, the coldest lake of all' },
];

const encoded = encodeTexts(documents);

const rarity = TermRarity.in(encoded);

const idsFor = (query: string): string[] =>
  rankLexically(encodedQuery(query), encoded, rarity).map(({ id }) => id);

test('the text with the rarer term comes first, and texts without a term of the query are left out', () => {
  expect(idsFor('Did Anna paint?')).toEqual(['painting', 'market']);
});

test('the text that says it more often comes first', () => {
  expect(idsFor('lake')).toEqual(['lake', 'painting']);
});

test('equal scores keep the order of the texts', () => {
  const equal = encodeTexts(['b', 'a', 'c'].map((id) => ({ id, text: 'the same words' })));
  expect(rankLexically(encodedQuery('same'), equal, UNKNOWN_RARITY).map(({ id }) => id)).toEqual([
    'b',
    'a',
    'c',
  ]);
});

test('a term that every text has still finds them all, with a score above 0', () => {
  const texts = encodeTexts([{ id: 'only', text: 'an apple' }]);
  const ranked = rankLexically(encodedQuery('apple'), texts, TermRarity.in(texts));
  expect(ranked).toHaveLength(1);
  expect(ranked[0]?.score).toBeGreaterThan(0);
});

test('nothing to ask for or nothing to rank is an empty answer', () => {
  expect(rankLexically(encodedQuery(''), encoded, rarity)).toEqual([]);
  expect(rankLexically(encodedQuery('Anna'), [], rarity)).toEqual([]);
});

test('a text that repeats the query covers all of it, another one a part', () => {
  const [first, second] = rankLexically(
    encodedQuery('Anna is painting a sunrise over the lake'),
    encoded,
    rarity,
  );
  expect(first).toMatchObject({ id: 'painting', coverage: expect.closeTo(1) });
  expect(second?.coverage).toBeLessThan(0.5);
});

test('a word that all of many texts have counts for little beside one that a single text has', () => {
  const many = encodeTexts(
    Array.from({ length: 500 }, (_, n) => ({ id: String(n), text: n === 7 ? 'tea zeppelin' : 'tea' })),
  );
  const [first, second] = rankLexically(encodedQuery('tea zeppelin'), many, TermRarity.in(many));
  expect(first?.id).toBe('7');
  expect(second?.score).toBeLessThan(0.25);
});

test('a few texts say little about how rare a word is: one that is in the only text counts like a rare one', () => {
  const texts = encodeTexts([{ id: 'only', text: 'an apple' }]);
  const [term = 0] = texts[0]?.words.indices ?? [];
  expect(TermRarity.in(texts).of(term)).toBeGreaterThan(0.7 * UNKNOWN_RARITY.of(term));
});
