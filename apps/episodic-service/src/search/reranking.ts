import { AppError } from '@loci/contracts';
import { type Reranker } from '@loci/models';

/** Hits that a reranker reads. */
export const RERANKED = 50;

/** A reranker that takes longer than this is done without. */
const PATIENCE_MS = 3_000;

interface Hit {
  readonly producerId: string;
  readonly content: string;
  readonly score: number;
}

/**
 * Orders hits by a reranker's own scores; equal ones keep their order. While it is down the hits stay as they are, and
 * `degraded` says so.
 */
export async function rerank<Found extends Hit>(
  reranker: (() => Promise<Reranker>) | undefined,
  query: string,
  hits: readonly Found[],
): Promise<{ hits: readonly Found[]; degraded: readonly string[] }> {
  if (!reranker || hits.length === 0) return { hits, degraded: [] };
  const texts = hits.map(({ producerId, content }) => `${producerId}: ${content}`);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const scores = await (await reranker()).score(query, texts, { signal });
    const scored = hits.map((hit, place) => ({ ...hit, score: scores[place] ?? -Infinity }));
    return { hits: scored.sort((a, b) => b.score - a.score), degraded: [] };
  } catch (error) {
    if (error instanceof AppError || signal.aborted) return { hits, degraded: ['reranker_unavailable'] };
    throw error;
  }
}
