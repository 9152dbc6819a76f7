export interface RerankScore {
  /** Position of the candidate in the request. */
  readonly index: number | undefined;
  readonly score: number | undefined;
}

/** One provider's way to score candidates; errors of its SDK come out as they are. */
export interface RerankClient {
  rerank(query: string, candidates: readonly string[], signal: AbortSignal): Promise<readonly RerankScore[]>;
  close(): Promise<void>;
}
