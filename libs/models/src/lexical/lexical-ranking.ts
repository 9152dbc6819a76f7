import { encodeDocument, encodeQuery } from './bm25-encoder.js';
import { type SparseVector } from './sparse-vector.js';

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

/**
 * What is assumed of a term before any text was seen: one text in 200 has it, with the weight of 50 texts. A few texts say
 * little about how rare a word is in the collection that they belong to.
 */
const PRIOR = { share: 0.005, texts: 50 } as const;

export const encodeTexts = (
  texts: readonly { readonly id: string; readonly text: string }[],
): EncodedText[] => texts.map(({ id, text }) => ({ id, words: encodeDocument(text) }));

/**
 * Ranks texts that are not in the index against a query by BM25. Best first, equal scores in the given order; texts that
 * share no term with the query are left out. The IDF is that of the texts together with the collection that they will be
 * in: how many texts of the collection have a term is estimated from these texts (additive smoothing), so that a score
 * compares with those of the index.
 * @param collection how many texts the index has; 0 ranks by the document frequencies of the texts alone
 */
export function rankLexically(
  query: string,
  texts: readonly EncodedText[],
  collection: number,
): RankedText[] {
  const queried = encodeQuery(query).indices;
  const wanted = new Set(queried);
  const matched = texts.map(({ id, words }) => ({ id, matches: matchesOf(words, wanted) }));
  const frequencies = new Map<number, number>();
  for (const index of matched.flatMap(({ matches }) => [...matches.keys()])) {
    frequencies.set(index, (frequencies.get(index) ?? 0) + 1);
  }
  const weightOf = (found: number): number =>
    inverseFrequency(
      found + (collection * (found + PRIOR.share * PRIOR.texts)) / (texts.length + PRIOR.texts),
      texts.length + collection,
    );
  const weights = new Map(queried.map((index) => [index, weightOf(frequencies.get(index) ?? 0)]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return matched
    .map(({ id, matches }) => ({
      id,
      score: scoreOf(matches, weights),
      coverage:
        scoreOf(new Map([...matches].map(([index, value]) => [index, Math.min(1, value)])), weights) / all,
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function matchesOf(vector: SparseVector, queried: ReadonlySet<number>): Map<number, number> {
  const pairs = vector.indices.map((index, position) => [index, vector.values[position] ?? 0] as const);
  return new Map(pairs.filter(([index]) => queried.has(index)));
}

const scoreOf = (matches: ReadonlyMap<number, number>, weights: ReadonlyMap<number, number>): number =>
  [...matches].reduce((sum, [index, value]) => sum + value * (weights.get(index) ?? 0), 0);

/** The formula of Qdrant's modifier `idf`: positive also for a term that every document has. */
const inverseFrequency = (frequency: number, documents: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
