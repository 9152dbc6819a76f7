import { Reranker } from '../reranker.js';
import { BUILT_IN_WEIGHT } from './reranker-weights.js';

/** Keeps the order of the candidates: n - 1 for the first, 0 for the last. */
export class IdentityReranker extends Reranker {
  readonly weight = BUILT_IN_WEIGHT;

  constructor(readonly name: string) {
    super();
  }

  score(_query: string, candidates: readonly string[]): Promise<number[]> {
    return Promise.resolve(candidates.map((_, index) => candidates.length - 1 - index));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
