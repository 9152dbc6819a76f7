import { AppError } from '@loci/contracts';
import { orAborted } from '../calls/aborting.js';
import { type Reranker } from '../reranker.js';

/** Hits that a reranker reads. */
export const RERANKED = 50;

/** A reranker that takes longer than this is done without. */
const PATIENCE_MS = 3_000;

/** Gets a reranker when there is something to order; rejects with an AppError while there is none to be had. */
export type RerankerSource = () => Promise<Reranker>;

/** What a reranker makes of one hit. */
export interface Opinion {
  /** As it scored the hit, on a scale of its own. */
  readonly raw: number;
  /** Among the hits that it read, from 1; equal ones in their order. */
  readonly rank: number;
  /** `raw` on the scale of the hits that it read, 0 to 1. */
  readonly opinion: number;
  /** Its share of the score. */
  readonly weight: number;
  /** The score that the hit had before. */
  readonly scoreBefore: number;
}

export interface Reranked<Hit> {
  readonly hits: readonly Hit[];
  /** Of each hit; none when no reranker was asked, or it did not answer. */
  readonly opinions: ReadonlyMap<Hit, Opinion>;
  readonly degraded: readonly string[];
}

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
): Promise<Reranked<Hit>> {
  if (!reranker || hits.length === 0) return { hits, opinions: new Map(), degraded: [] };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    // its first use may ask a provider
    const judge = await orAborted(reranker(), signal);
    const scores = await judge.score(query, hits.map(textOf), { signal });
    const opinions = new Map(
      opinionsOf(scores, hits, judge.weight).map(({ hit, ...opinion }) => [
        { ...hit, score: (1 - opinion.weight) * hit.score + opinion.weight * opinion.opinion },
        opinion,
      ]),
    );
    return { hits: [...opinions.keys()].sort((a, b) => b.score - a.score), opinions, degraded: [] };
  } catch (error) {
    if (error instanceof AppError || signal.aborted) {
      return { hits, opinions: new Map(), degraded: ['reranker_unavailable'] };
    }
    throw error;
  }
}

function opinionsOf<Hit extends { readonly score: number }>(
  scores: readonly number[],
  hits: readonly Hit[],
  weight: number,
): (Opinion & { readonly hit: Hit })[] {
  const onScale = scaled(scores);
  const order = [...hits.keys()].sort((a, b) => (onScale[b] ?? 0) - (onScale[a] ?? 0));
  const ranks = new Map(order.map((index, before) => [index, before + 1]));
  return hits.map((hit, index) => ({
    hit,
    raw: scores[index] ?? 0,
    rank: ranks.get(index) ?? hits.length,
    opinion: onScale[index] ?? 0,
    weight,
    scoreBefore: hit.score,
  }));
}

/** Scores on 0 to 1; all 1 when they are the same. */
function scaled(scores: readonly number[]): number[] {
  const smallest = Math.min(...scores);
  const range = Math.max(...scores) - smallest;
  return scores.map((score) => (range > 0 ? (score - smallest) / range : 1));
}
