import { setImmediate as others } from 'node:timers/promises';
import { documentTerms, queryTerms } from '../lexical/terms.js';
import { wordsOf } from '../lexical/words.js';
import { Reranker, type RerankOptions } from '../reranker.js';
import { type Bm25Settings } from './reranker-settings.js';
import { BUILT_IN_WEIGHT } from './reranker-weights.js';

/** Of a candidate: more than most messages have. The words of all of them stay in memory together. */
const MAX_CHARACTERS = 8_000;

type Counts = ReadonlyMap<string, number>;

/** Okapi BM25 (Robertson and Zaragoza 2009) over the candidates alone: they are the whole collection. */
export class Bm25Reranker extends Reranker {
  readonly weight = BUILT_IN_WEIGHT;

  constructor(
    readonly name: string,
    private readonly settings: Bm25Settings,
  ) {
    super();
  }

  /** Others have their turn between candidates: the words of a long one take a while to count. */
  async score(
    query: string,
    candidates: readonly string[],
    { signal }: RerankOptions = {},
  ): Promise<number[]> {
    const documents: Counts[] = [];
    for (const text of candidates) {
      documents.push(this.termsOf(text.slice(0, MAX_CHARACTERS)));
      await others();
      signal?.throwIfAborted();
    }
    const lengths = documents.map(lengthOf);
    const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1) || 1;
    const weights = this.weightsOf(documents);
    const asked = [...this.askedTerms(query)];
    return documents.map((document) => {
      const { k1, b } = this.settings;
      const saturation = k1 * (1 - b + (b * lengthOf(document)) / averageLength);
      return asked.reduce((sum, term) => {
        const count = document.get(term) ?? 0;
        return count === 0 ? sum : sum + ((weights.get(term) ?? 0) * count * (k1 + 1)) / (count + saturation);
      }, 0);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Stop words are left out, unless the query has nothing else. */
  private askedTerms(query: string): Iterable<string> {
    if (this.settings.tokenizer === 'simple') return wordsOf(query).keys();
    const { content, stop } = queryTerms(query);
    return content.size > 0 ? content.keys() : stop.keys();
  }

  private termsOf(text: string): Counts {
    if (this.settings.tokenizer === 'simple') return wordsOf(text);
    const { content, stop } = documentTerms(text);
    return new Map([...content, ...stop]);
  }

  /** Inverse document frequencies; those below 0 (terms of most candidates) get a part of the average instead. */
  private weightsOf(documents: readonly Counts[]): Map<string, number> {
    const frequencies = new Map<string, number>();
    for (const document of documents) {
      for (const term of document.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
    const weights = [...frequencies].map(([term, frequency]): [string, number] => [
      term,
      Math.log(documents.length - frequency + 0.5) - Math.log(frequency + 0.5),
    ]);
    const average = weights.reduce((sum, [, weight]) => sum + weight, 0) / Math.max(weights.length, 1);
    const floor = this.settings.epsilon * Math.abs(average);
    return new Map(weights.map(([term, weight]) => [term, weight < 0 ? floor : weight]));
  }
}

const lengthOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
