import { type Hit, meaningScore, type SimilarityCurve, wordsScore } from './calibration.js';

/** What the legs of a search say of one text. */
export interface OwnScore {
  /** Absent when the text is not among the hits by meaning. */
  readonly cosine?: number | undefined;
  /** Absent when the text is not among the hits by words. */
  readonly bm25?: number | undefined;
  /** 0 to 1. */
  readonly meaning: number;
  /** 0 to 1. */
  readonly words: number;
  /** Both together, 0 to 1. */
  readonly score: number;
  /** What it tells of the turns beside it, 0 to 1: mostly its words, because vectors have read the previous turn already. */
  readonly asNeighbour: number;
}

/** A text that has no vector yet. */
export interface WaitingHit extends Hit {
  /** How much of the query it repeats, 0 to 1. */
  readonly coverage: number;
}

/** The share of meaning in what a turn tells of those beside it. */
const NEIGHBOUR_DENSE = 0.2;

/** The hits of a search, with what makes their scores comparable. */
export interface ScoredLegs {
  /** Scores are cosines. */
  readonly dense: readonly Hit[];
  /** Scores are BM25. */
  readonly sparse: readonly Hit[];
  /** Texts without a vector: scores are BM25 like those of the index. What the index has as well counts as the index says. */
  readonly waiting: readonly WaitingHit[];
  readonly curve: SimilarityCurve;
  /** Distinct terms of the query. */
  readonly terms: number;
  /** Texts that the IDF counts. */
  readonly documents: number;
}

/**
 * Each text's own score: a weighted sum of meaning and words. Of a text that has no vector yet the meaning is taken to be near
 * as far as it repeats the words of the query.
 * @param denseWeight the share of meaning, against words
 */
export function ownScores(
  { dense, sparse, waiting, curve, terms, documents }: ScoredLegs,
  denseWeight: number,
): Map<string, OwnScore> {
  const cosines = new Map(dense.map(({ id, score }) => [id, score]));
  const weights = new Map(sparse.map(({ id, score }) => [id, score]));
  const scores = new Map<string, OwnScore>();
  for (const id of new Set([...cosines.keys(), ...weights.keys()])) {
    const [cosine, bm25] = [cosines.get(id), weights.get(id)];
    const meaning = cosine === undefined ? 0 : meaningScore(cosine, curve);
    const words = bm25 === undefined ? 0 : wordsScore(bm25, terms, documents);
    scores.set(id, { cosine, bm25, ...joined(meaning, words, denseWeight) });
  }
  for (const { id, score: bm25, coverage } of waiting) {
    if (scores.has(id)) continue;
    scores.set(id, { bm25, ...joined(coverage, wordsScore(bm25, terms, documents), denseWeight) });
  }
  return scores;
}

const joined = (meaning: number, words: number, denseWeight: number): Omit<OwnScore, 'cosine' | 'bm25'> => ({
  meaning,
  words,
  score: denseWeight * meaning + (1 - denseWeight) * words,
  asNeighbour: NEIGHBOUR_DENSE * meaning + (1 - NEIGHBOUR_DENSE) * words,
});
