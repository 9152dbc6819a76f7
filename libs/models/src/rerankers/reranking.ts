import { AppError } from '@loci/contracts';
import { type Reranker } from '../reranker.js';

/** Hits that a reranker reads. */
export const RERANKED = 50;

/** A reranker that takes longer than this is done without. */
const PATIENCE_MS = 3_000;

/** Gets a reranker when there is something to order; rejects with an AppError while there is none to be had. */
export type RerankerSource = () => Promise<Reranker>;

/**
 * Orders hits by a reranker's own scores; equal ones keep their order. While it is down the hits stay as they are, and
 * `degraded` says so.
 * @param textOf what the reranker reads of a hit
 */
export async function rerank<Hit extends { readonly score: number }>(
  reranker: RerankerSource | undefined,
  query: string,
  hits: readonly Hit[],
  textOf: (hit: Hit) => string,
): Promise<{ hits: readonly Hit[]; degraded: readonly string[] }> {
  if (!reranker || hits.length === 0) return { hits, degraded: [] };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const scores = await (await reranker()).score(query, hits.map(textOf), { signal });
    const scored = hits.map((hit, place) => ({ ...hit, score: scores[place] ?? -Infinity }));
    return { hits: scored.sort((a, b) => b.score - a.score), degraded: [] };
  } catch (error) {
    if (error instanceof AppError || signal.aborted) return { hits, degraded: ['reranker_unavailable'] };
    throw error;
  }
}
