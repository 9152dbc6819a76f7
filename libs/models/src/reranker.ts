export interface RerankOptions {
  /** Gives up waiting; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Scores candidates against a query, reading both. */
export abstract class Reranker {
  /** The share of its opinion, 0 to 1, in the score of a hit. */
  abstract readonly weight: number;

  /** Its name in the registry. */
  abstract readonly name: string;

  /**
   * One score per candidate, in their order; higher is better, on the reranker's own scale. The candidates come best
   * first by the search that found them.
   * @throws AppError `reranker_unavailable`
   */
  abstract score(query: string, candidates: readonly string[], options?: RerankOptions): Promise<number[]>;

  abstract close(): Promise<void>;
}
