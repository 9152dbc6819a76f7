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

/**
 * The weight of a word that no other text has, over its IDF, where very many texts were counted. Chosen on LoCoMo, where 350 to
 * 700 messages of a conversation are counted and it comes to 1.16 to 1.22.
 */
const TYPICAL_WEIGHT = 1.08;

/** Where no more texts were counted than so many, most words look as rare as words can be: each says half as much. */
const FEW_TEXTS = 50;

/**
 * How much a text has to do with a query by its words, 0 to 1: its BM25 score over what it would be if every term of the
 * query were a word of this text alone. It depends on the text, the query and the statistics of words, and on no other hit.
 * @param terms distinct terms of the query
 * @param documents texts that the IDF counts
 */
export function wordsScore(bm25: number, terms: number, documents: number): number {
  const counted = Math.max(1, documents);
  const best = terms * TYPICAL_WEIGHT * (1 + FEW_TEXTS / counted) * Math.log(1 + 2 * counted);
  return best > 0 ? Math.min(1, bm25 / best) : 0;
}
