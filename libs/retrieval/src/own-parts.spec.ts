import { expect, test } from '@jest/globals';
import { ownParts, ranksOfLegs } from './own-parts.js';
import { ownScores } from './own-scores.js';

const legs = {
  dense: [
    { id: 'near', score: 0.7 },
    { id: 'far', score: 0.2 },
  ],
  sparse: [{ id: 'far', score: 9 }],
};
const waiting = [{ id: 'new', score: 12, coverage: 0.5 }];
const curve = { midpoint: 0.35, scale: 0.1 };

test('the parts of a text add up to its own score, also while it has no vector', () => {
  const own = ownScores({ ...legs, waiting, curve, terms: 2, documents: 50 }, 0.4);
  const ranks = ranksOfLegs(legs);
  expect([...own.keys()].sort()).toEqual(['far', 'near', 'new']);
  for (const [id, score] of own) {
    const parts = ownParts(id, ranks, score, 0.4);
    expect(parts.map(({ weight }) => weight)).toEqual([0.4, 0.6]);
    expect(parts.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score.score, 10);
  }
});

test('each part has its score and its rank in the leg that found the text', () => {
  const own = ownScores({ ...legs, waiting, curve, terms: 2, documents: 50 }, 0.4);
  const ranks = ranksOfLegs(legs);
  const found = [...own].map(([id, score]) => [
    id,
    ...ownParts(id, ranks, score, 0.4).map(({ raw, rank }) => [raw, rank]),
  ]);
  expect(found).toEqual([
    ['near', [0.7, 1], [undefined, undefined]],
    ['far', [0.2, 2], [9, 1]],
    ['new', [undefined, undefined], [12, undefined]],
  ]);
});
