import { encodeDocument } from './bm25-encoder.js';
import { type SparseVector } from './sparse-vector.js';

/**
 * What is assumed of a term before any text was seen: one text in a hundred has it, with the weight of 50 texts. So a few texts
 * say little about how rare a word is, and many say all. On LoCoMo, split dev, recall@10 is 76.7 with this alone, 82.2 with the
 * first 50 texts of each conversation counted, 83.0 with 200 and 83.2 with all.
 */
const PRIOR = { share: 0.01, texts: 50 } as const;

/** Of a name that all texts have: a query of nothing else still finds. */
const MIN_RARITY = 0.1;

/** What has more is a description rather than a name. */
const MAX_NAME_TERMS = 8;

/** In how many of some texts each term is. */
export interface TermCounts {
  readonly texts: number;
  readonly textsWith: (term: number) => number;
}

/** How rare terms are where a search looks: the IDF of BM25, with additive smoothing. */
export class TermRarity {
  /** Texts that speak for it, those that are assumed included. */
  readonly documents: number;

  /** @param common terms, each with the share of the texts that are searched that have it, whatever the counts say */
  constructor(
    private readonly counts: TermCounts,
    private readonly common: ReadonlyMap<number, number> = new Map(),
  ) {
    this.documents = counts.texts + PRIOR.texts;
  }

  /** Of the texts themselves. */
  static in(texts: readonly { readonly words: SparseVector }[]): TermRarity {
    const frequencies = countTerms(texts.map(({ words }) => words));
    return new TermRarity({ texts: texts.length, textsWith: (term) => frequencies.get(term) ?? 0 });
  }

  /** Above 0, also for a term that every text has. */
  of(term: number): number {
    const frequency = this.counts.textsWith(term) + PRIOR.share * PRIOR.texts;
    const counted = Math.log(this.documents / frequency);
    const share = this.common.get(term);
    return share === undefined ? counted : Math.min(counted, Math.max(MIN_RARITY, -Math.log(share)));
  }

  /**
   * The same for a search among the turns of one conversation. There the name of one who talks is in the turns of their own and
   * in what they are told, and tells little, however rare it is among all conversations that were counted. Of a share s of
   * the turns, the name is taken to be in 2s / (1 + s): in two thirds when two talk as much as each other.
   * @param shares of the turns, by speaker; undefined where many conversations are searched
   */
  among(shares: ReadonlyMap<string, number> | undefined): TermRarity {
    if (!shares || shares.size === 0) return this;
    const common = new Map<number, number>();
    for (const [speaker, share] of shares) {
      const { indices } = encodeDocument(speaker);
      if (indices.length > MAX_NAME_TERMS) continue;
      for (const term of indices)
        common.set(term, Math.max(common.get(term) ?? 0, (2 * share) / (1 + share)));
    }
    return new TermRarity(this.counts, common);
  }

  /** A query whose terms count by how rare they are. */
  weigh({ indices, values }: SparseVector): SparseVector {
    return { indices, values: values.map((value, position) => value * this.of(indices[position] ?? 0)) };
  }
}

/** In how many of the vectors each term is. */
export function countTerms(vectors: readonly SparseVector[]): Map<number, number> {
  const frequencies = new Map<number, number>();
  for (const vector of vectors) addTerms(frequencies, vector);
  return frequencies;
}

/** Counts the terms of one more vector. */
export function addTerms(frequencies: Map<number, number>, { indices }: SparseVector): void {
  for (const term of indices) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
}
