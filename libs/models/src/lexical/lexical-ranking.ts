import { encodeQuery } from './bm25-encoder.js';
import { type SparseVector } from './sparse-vector.js';
import { type TermRarity } from './term-rarity.js';

/** A text whose words were counted once, to be ranked against any number of queries. */
export interface EncodedText {
  readonly id: string;
  readonly words: SparseVector;
}

export interface RankedText {
  readonly id: string;
  /** BM25, above 0. */
  readonly score: number;
  /** How much of the query the text repeats, 0 to 1: the share of the IDF of all its terms. */
  readonly coverage: number;
}

/** A query whose words were encoded once: of a long one that takes a tenth of a second. */
export interface EncodedQuery {
  readonly text: string;
  readonly words: SparseVector;
}

export const encodedQuery = (text: string): EncodedQuery => ({ text, words: encodeQuery(text) });

/**
 * Ranks texts that are not in the index against a query by BM25. Best first, equal scores in the given order; texts that
 * share no term with the query are left out. With the rarity by which the index is searched, a score compares with those of
 * the index.
 */
export function rankLexically(
  { words: asked }: EncodedQuery,
  texts: readonly EncodedText[],
  rarity: TermRarity,
): RankedText[] {
  const weights = new Map(asked.indices.map((index) => [index, rarity.of(index)]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return texts
    .map(({ id, words }) => {
      const { score, repeated } = matchOf(words, weights);
      return { id, score, coverage: repeated / all };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

/** Of thousands of texts for each search: nothing is kept of a term. */
function matchOf(
  { indices, values }: SparseVector,
  weights: ReadonlyMap<number, number>,
): { readonly score: number; readonly repeated: number } {
  let [score, repeated] = [0, 0];
  for (let position = 0; position < indices.length; position += 1) {
    const weight = weights.get(indices[position] ?? 0);
    if (weight === undefined) continue;
    const value = values[position] ?? 0;
    score += value * weight;
    repeated += Math.min(1, value) * weight;
  }
  return { score, repeated };
}
