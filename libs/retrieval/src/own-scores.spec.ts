import { expect, test } from '@jest/globals';
import { ownScores, type ScoredLegs } from './own-scores.js';

const LEGS: ScoredLegs = {
  dense: [],
  sparse: [],
  waiting: [],
  curve: { midpoint: 0.35, scale: 0.1 },
  terms: 2,
  documents: 1_000,
};

test('a text has the weighted sum of both legs, and 0 of the leg that lacks it', () => {
  const scores = ownScores(
    { ...LEGS, dense: [{ id: 'a', score: 0.35 }], sparse: [{ id: 'b', score: 1_000 }] },
    0.4,
  );
  expect(scores.get('a')).toMatchObject({ cosine: 0.35, meaning: 0.5, words: 0, score: 0.2 });
  expect(scores.get('b')).toMatchObject({ bm25: 1_000, meaning: 0, words: 1, score: 0.6 });
});

test('a score does not depend on the other hits', () => {
  const alone = ownScores({ ...LEGS, sparse: [{ id: 'a', score: 4 }] }, 0.4);
  const better = { id: 'b', score: 40, coverage: 1 };
  const among = ownScores({ ...LEGS, sparse: [better, { id: 'a', score: 4 }], waiting: [better] }, 0.4);
  expect(among.get('a')).toEqual(alone.get('a'));
});

test('what waits for its vector counts by its words, like what the index has', () => {
  const [indexed, waiting] = [
    ownScores({ ...LEGS, sparse: [{ id: 'a', score: 4 }] }, 0),
    ownScores({ ...LEGS, waiting: [{ id: 'a', score: 4, coverage: 0.5 }] }, 0),
  ];
  expect(waiting.get('a')?.score).toBe(indexed.get('a')?.score);
});

test('what waits and repeats the query comes before what is only near to it by its meaning', () => {
  const scores = ownScores(
    { ...LEGS, dense: [{ id: 'near', score: 0.8 }], waiting: [{ id: 'same', score: 8, coverage: 1 }] },
    0.4,
  );
  expect(scores.get('same')?.score).toBeGreaterThan(scores.get('near')?.score ?? 1);
});

test('what waits and has an old point counts once, as the index says', () => {
  const scores = ownScores(
    { ...LEGS, sparse: [{ id: 'a', score: 4 }], waiting: [{ id: 'a', score: 1_000, coverage: 1 }] },
    0.4,
  );
  expect(scores.get('a')?.bm25).toBe(4);
});
