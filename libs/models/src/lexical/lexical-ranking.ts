import { encodeDocument, encodeQuery } from './bm25-encoder.js';
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

export const encodeTexts = (
  texts: readonly { readonly id: string; readonly text: string }[],
): EncodedText[] => texts.map(({ id, text }) => ({ id, words: encodeDocument(text) }));

/**
 * Ranks texts that are not in the index against a query by BM25. Best first, equal scores in the given order; texts that
 * share no term with the query are left out. With the rarity by which the index is searched, a score compares with those of
 * the index.
 */
export function rankLexically(
  query: string,
  texts: readonly EncodedText[],
  rarity: TermRarity,
): RankedText[] {
  const weights = new Map(encodeQuery(query).indices.map((index) => [index, rarity.of(index)]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return texts
    .map(({ id, words }) => {
      const matches = matchesOf(words, weights);
      const repeated = new Map([...matches].map(([index, value]) => [index, Math.min(1, value)]));
      return { id, score: scoreOf(matches, weights), coverage: scoreOf(repeated, weights) / all };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function matchesOf(vector: SparseVector, queried: ReadonlyMap<number, number>): Map<number, number> {
  const matches = new Map<number, number>();
  vector.indices.forEach((index, position) => {
    if (queried.has(index)) matches.set(index, vector.values[position] ?? 0);
  });
  return matches;
}

const scoreOf = (matches: ReadonlyMap<number, number>, weights: ReadonlyMap<number, number>): number =>
  [...matches].reduce((sum, [index, value]) => sum + value * (weights.get(index) ?? 0), 0);
