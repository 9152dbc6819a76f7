export interface Hit {
  readonly id: string;
  readonly score: number;
}

/** How the cosines of an embedder spread: where a text is as likely related as not, and how steep it is there. */
export interface SimilarityCurve {
  readonly midpoint: number;
  readonly scale: number;
}

/**
 * How much a text has to do with a query by its meaning, 0 to 1: a logistic function of the cosine, the same for every
 * query and every list.
 */
export const meaningScore = (cosine: number, { midpoint, scale }: SimilarityCurve): number =>
  1 / (1 + Math.exp((midpoint - cosine) / scale));

/** The weight of a word that no other text has, said as often as turns of dialogues say it, over its IDF. Measured on LoCoMo. */
const TYPICAL_WEIGHT = 1.16;

/**
 * How much a text has to do with a query by its words, 0 to 1: its BM25 score over what it would be if every term of the
 * query were a word of this text alone. It depends on the text, the query and the statistics of words, and on no other hit.
 * @param terms distinct terms of the query
 * @param documents texts that the IDF counts
 */
export function wordsScore(bm25: number, terms: number, documents: number): number {
  const best = terms * TYPICAL_WEIGHT * Math.log(1 + 2 * Math.max(1, documents));
  return best > 0 ? Math.min(1, bm25 / best) : 0;
}
