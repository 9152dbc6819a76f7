import { expect, test } from '@jest/globals';
import { encodeQuery, TermRarity } from '@loci/models';
import { turnsBeside } from '../../test/turns-beside.js';
import { CountedWords } from './counted-words.js';

const termOf = (word: string): number => encodeQuery(word).indices[0] ?? -1;

const TEXTS = ['tea and milk', 'tea and honey', 'green tea with milk', 'milk and a zeppelin'];

test('says in how many texts a word is, each text once, in whatever form the word stands', async () => {
  const counted = await CountedWords.in([...TEXTS, 'milk, milk, milk']);
  expect([counted.texts, counted.textsWith(termOf('tea')), counted.textsWith(termOf('milk'))]).toEqual([
    5, 3, 4,
  ]);
});

test('keeps nothing of a word that only one or two texts have', async () => {
  const counted = await CountedWords.in([...TEXTS, 'another zeppelin']);
  expect(['zeppelin', 'honey', 'unheard'].map((word) => counted.textsWith(termOf(word)))).toEqual([0, 0, 0]);
});

test('finds every word of many after it was stored', async () => {
  const words = Array.from({ length: 500 }, (_, index) => `word${index}`);
  const { texts, terms } = await CountedWords.in([words.join(' '), words.join(' '), words.join(' ')]);
  const stored = new CountedWords(texts, Buffer.from(terms));
  expect(words.filter((word) => stored.textsWith(termOf(word)) !== 3)).toEqual([]);
});

test('a word that most texts have counts for less than one that is not known, even in a few texts', async () => {
  const rarity = new TermRarity(await CountedWords.in(TEXTS));
  expect(rarity.of(termOf('milk'))).toBeLessThan(0.6 * rarity.of(termOf('unheard')));
});

test('lets others have their turn while many long texts are counted', async () => {
  const texts = Array.from({ length: 40 }, () => 'tea and honey '.repeat(1_000));
  const [, turns] = await turnsBeside(() => CountedWords.in(texts));
  expect(turns).toBeGreaterThan(10);
});
