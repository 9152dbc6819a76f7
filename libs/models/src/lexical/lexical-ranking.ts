import { encodeDocument, encodeQuery } from './bm25-encoder.js';
import { type SparseVector } from './sparse-vector.js';

export interface RankedText {
  readonly id: string;
  /** BM25, above 0. */
  readonly score: number;
}

/**
 * Ranks a few texts against a query by BM25, with the document frequencies of these texts themselves. Best
 * first, equal scores in the given order; texts that share no term with the query are left out.
 */
export function rankLexically(
  query: string,
  documents: readonly { readonly id: string; readonly text: string }[],
): RankedText[] {
  const queried = new Set(encodeQuery(query).indices);
  const encoded = documents.map(({ id, text }) => ({
    id,
    matches: matchesOf(encodeDocument(text), queried),
  }));
  const frequencies = new Map<number, number>();
  for (const index of encoded.flatMap(({ matches }) => [...matches.keys()])) {
    frequencies.set(index, (frequencies.get(index) ?? 0) + 1);
  }
  return encoded
    .map(({ id, matches }) => ({ id, score: scoreOf(matches, frequencies, documents.length) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function matchesOf(vector: SparseVector, queried: ReadonlySet<number>): Map<number, number> {
  const pairs = vector.indices.map((index, position) => [index, vector.values[position] ?? 0] as const);
  return new Map(pairs.filter(([index]) => queried.has(index)));
}

function scoreOf(
  matches: ReadonlyMap<number, number>,
  frequencies: ReadonlyMap<number, number>,
  documents: number,
): number {
  return [...matches].reduce(
    (sum, [index, value]) => sum + value * inverseFrequency(frequencies.get(index) ?? 0, documents),
    0,
  );
}

/** The formula of Qdrant's modifier `idf`: positive also for a term that every document has. */
const inverseFrequency = (frequency: number, documents: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
