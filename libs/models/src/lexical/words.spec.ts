import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wordsOf } from './words.js';

test('contractions, thousands and ordinals are words without their signs', () => {
  expect([...wordsOf("Anna's 1,000 boxes, and don't forget the 7th: 'boxes'!")]).toEqual([
    ['anna', 1],
    ['1000', 1],
    ['boxes', 2],
    ['and', 1],
    ['do', 1],
    ['forget', 1],
    ['the', 1],
    ['7', 1],
  ]);
});

test('a text in ASCII has the same words as beside a letter that is not', () => {
  const characters = fc.constantFrom(..."aZ09'_,.- \nstndrehlvm");
  fc.assert(
    fc.property(fc.string({ unit: characters }), (text) => {
      const beside = wordsOf(`${text} é`);
      beside.set('e', (beside.get('e') ?? 0) - 1);
      expect([...beside].filter(([, count]) => count > 0)).toEqual([...wordsOf(text)]);
    }),
  );
});
