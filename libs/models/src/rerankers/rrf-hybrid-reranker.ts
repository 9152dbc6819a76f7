import { Reranker, type RerankOptions } from '../reranker.js';
import { BUILT_IN_WEIGHT } from './reranker-weights.js';

/** Reciprocal rank fusion (Cormack et al. 2009): the sum of 1 / (k + rank) over several rerankers, rank from 1. */
export class RrfHybridReranker extends Reranker {
  readonly weight = BUILT_IN_WEIGHT;

  constructor(
    readonly name: string,
    private readonly rerankers: readonly Reranker[],
    private readonly k: number,
  ) {
    super();
  }

  async score(query: string, candidates: readonly string[], options?: RerankOptions): Promise<number[]> {
    const rankings = await Promise.all(
      this.rerankers.map(async (reranker) => ranksOf(await reranker.score(query, candidates, options))),
    );
    return candidates.map((_, index) =>
      rankings.reduce((sum, ranks) => sum + 1 / (this.k + (ranks[index] ?? Infinity)), 0),
    );
  }

  /** The rerankers belong to the registry. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The rank of each score, 1 for the highest; equal ones in the order of the candidates. */
function ranksOf(scores: readonly number[]): number[] {
  const ranks = scores.map(() => 0);
  const best = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  for (const [rank, index] of best.entries()) ranks[index] = rank + 1;
  return ranks;
}
