import { AppError } from '@loci/contracts';
import { type Reranker } from '../reranker.js';

/** Hits that a reranker reads. */
export const RERANKED = 50;

/** A reranker that takes longer than this is done without. */
const PATIENCE_MS = 3_000;

/** Gets a reranker when there is something to order; rejects with an AppError while there is none to be had. */
export type RerankerSource = () => Promise<Reranker>;

/**
 * Orders hits by their scores mixed with the opinion of a reranker, by its weight; equal ones keep their order. Rerankers
 * have scales of their own, so that an opinion is a score on the scale of the hits that were read, 0 to 1. While the reranker
 * is down the hits stay as they are, and `degraded` says so.
 * @param hits with scores between 0 and 1
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
    const judge = await reranker();
    const opinions = scaled(await judge.score(query, hits.map(textOf), { signal }));
    const mixed = hits.map((hit, index) => ({
      ...hit,
      score: (1 - judge.weight) * hit.score + judge.weight * (opinions[index] ?? 0),
    }));
    return { hits: mixed.sort((a, b) => b.score - a.score), degraded: [] };
  } catch (error) {
    if (error instanceof AppError || signal.aborted) return { hits, degraded: ['reranker_unavailable'] };
    throw error;
  }
}

/** Scores on 0 to 1; all 1 when they are the same. */
function scaled(scores: readonly number[]): number[] {
  const smallest = Math.min(...scores);
  const range = Math.max(...scores) - smallest;
  return scores.map((score) => (range > 0 ? (score - smallest) / range : 1));
}
