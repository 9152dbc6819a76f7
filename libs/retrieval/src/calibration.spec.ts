import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { meaningScore, wordsScore } from './calibration.js';

const CURVE = { midpoint: 0.35, scale: 0.1 };

test('meaning: one half at the midpoint, and never outside 0 to 1', () => {
  expect(meaningScore(0.35, CURVE)).toBe(0.5);
  expect(meaningScore(0.8, CURVE)).toBeGreaterThan(0.95);
  expect(meaningScore(-1, CURVE)).toBeGreaterThanOrEqual(0);
  expect(meaningScore(0, CURVE)).toBeLessThan(0.05);
});

test('words: what matches half of the query has half the score of what matches all of it', () => {
  expect(wordsScore(10, 4, 1_000)).toBeCloseTo(wordsScore(10, 2, 1_000) / 2);
});

test('words: one of two words is about half, also where next to nothing was counted', () => {
  const [ofShortText, idf] = [2.14, Math.log(54 / 0.5)];
  expect(wordsScore(ofShortText * idf, 2, 54)).toBeCloseTo(0.5, 1);
});

test('words: any score of any query is between 0 and 1', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.nat(),
      fc.nat(),
      (bm25, terms, documents) => {
        const score = wordsScore(bm25, terms, documents);
        return score >= 0 && score <= 1;
      },
    ),
  );
});
