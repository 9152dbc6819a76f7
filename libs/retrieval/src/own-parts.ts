import { type OwnScore } from './own-scores.js';

/** What a leg of a search adds to the own score of a text. */
export interface OwnPart {
  readonly name: 'meaning' | 'words';
  /** A cosine or a BM25 score; absent when the text is not among the hits of the leg. */
  readonly raw?: number | undefined;
  /** Among the hits of the leg, from 1; absent for a text that has no vector yet, too. */
  readonly rank?: number | undefined;
  /** What the part counts at most. */
  readonly weight: number;
  readonly contribution: number;
}

/** By id, from 1. */
type Ranks = ReadonlyMap<string, number>;

export interface RanksOfLegs {
  readonly meaning: Ranks;
  readonly words: Ranks;
}

interface Ranked {
  readonly id: string;
}

/** @param legs best first */
export const ranksOfLegs = (legs: {
  readonly dense: readonly Ranked[];
  readonly sparse: readonly Ranked[];
}): RanksOfLegs => ({ meaning: ranksOf(legs.dense), words: ranksOf(legs.sparse) });

const ranksOf = (hits: readonly Ranked[]): Ranks => new Map(hits.map(({ id }, index) => [id, index + 1]));

/**
 * What the own score of a text is the sum of.
 * @param own absent for a text that no leg found
 * @param denseWeight the share of meaning, as `ownScores` was given it
 */
export function ownParts(
  id: string,
  ranks: RanksOfLegs,
  own: OwnScore | undefined,
  denseWeight: number,
): readonly OwnPart[] {
  const { cosine, bm25, meaning = 0, words = 0 } = own ?? {};
  const wordsWeight = 1 - denseWeight;
  return [
    {
      name: 'meaning',
      raw: cosine,
      rank: ranks.meaning.get(id),
      weight: denseWeight,
      contribution: denseWeight * meaning,
    },
    {
      name: 'words',
      raw: bm25,
      rank: ranks.words.get(id),
      weight: wordsWeight,
      contribution: wordsWeight * words,
    },
  ];
}
