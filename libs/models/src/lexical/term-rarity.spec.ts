import { expect, test } from '@jest/globals';
import { encodeTexts } from '../../test/lexical.js';
import { encodeQuery } from './bm25-encoder.js';
import { TermRarity } from './term-rarity.js';

/** Ten conversations of two each, of ten turns. */
const TEXTS = encodeTexts(
  Array.from({ length: 100 }, (_, n) => ({
    id: String(n),
    text: `${n % 2 === 0 ? `ann${n % 10}` : `bob${n % 10}`}: the ferry leaves at ${n}`,
  })),
);

const rarity = TermRarity.in(TEXTS);

const rarityIn = (asked: TermRarity, word: string): number => asked.of(encodeQuery(word).indices[0] ?? 0);

const amongEqual = (...speakers: string[]): Map<string, number> =>
  new Map(speakers.map((speaker) => [speaker, 1 / speakers.length]));

test('among the turns of one conversation the names of those who talk are no rare words, and all others stay', () => {
  const conversation = rarity.among(amongEqual('ann2', 'bob2'));
  expect(rarityIn(rarity, 'ann2')).toBeGreaterThan(2);
  expect(rarityIn(conversation, 'ann2')).toBeCloseTo(Math.log(1.5));
  for (const word of ['ferry', 'ann4', 'zeppelin'])
    expect(rarityIn(conversation, word)).toBe(rarityIn(rarity, word));
  expect(conversation.documents).toBe(rarity.documents);
});

test('the name of one of many is rarer, and never more so than was counted', () => {
  const group = Array.from({ length: 9 }, (_, n) => `member${n}`);
  expect(rarityIn(rarity.among(amongEqual(...group)), 'member3')).toBeCloseTo(Math.log(5));
  expect(rarityIn(rarity.among(amongEqual(...group, 'ferry')), 'ferry')).toBe(rarityIn(rarity, 'ferry'));
});

test('the name of the only one still finds, and no names change nothing', () => {
  expect(rarityIn(rarity.among(amongEqual('ann2')), 'ann2')).toBeGreaterThan(0);
  expect(rarityIn(rarity.among(amongEqual()), 'ann2')).toBe(rarityIn(rarity, 'ann2'));
});

test('the name of one who hardly talks is rare, and a description is no name', () => {
  const uneven = rarity.among(
    new Map([
      ['ann2', 0.99],
      ['bob2', 0.01],
    ]),
  );
  expect(rarityIn(uneven, 'bob2')).toBeCloseTo(-Math.log(0.02 / 1.01));
  expect(rarityIn(uneven, 'ann2')).toBe(0.1);
  const described = rarity.among(
    amongEqual('the agent that reads each invoice before the ferry leaves at night'),
  );
  expect(rarityIn(described, 'ferry')).toBe(rarityIn(rarity, 'ferry'));
});
