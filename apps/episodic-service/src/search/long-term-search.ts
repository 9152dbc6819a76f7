import { AppError, type Filter } from '@loci/contracts';
import { encodeQuery, type Embedder, rankLexically } from '@loci/models';
import {
  compilePushdown,
  type PushdownFilter,
  type VectorHits,
  type VectorIndex,
  type VectorQuery,
} from '@loci/vectors';
import { type Episode } from '../episodes/episode.js';
import { type EpisodesRepository } from '../episodes/episodes.repository.js';
import { CARRIED_FIELDS } from '../indexing/episode-points.js';
import { fuse, scale } from './fusion.js';
import { type IndexTail, type Tail } from './index-tail.js';

export interface LongTermQuery {
  readonly projectUid: string;
  readonly query: string;
  readonly filter: Filter | undefined;
  readonly topK: number;
  /** Only hits with at least this score. */
  readonly scoreThreshold: number | undefined;
  /** Uids that must not be among the hits. */
  readonly exclude: ReadonlySet<string>;
}

export type ScoredEpisode = Episode & { readonly score: number };

export interface LongTermHits {
  /** Best first; equal scores by time, newest first, then uid. */
  readonly episodes: readonly ScoredEpisode[];
  readonly degraded: readonly string[];
}

/** The share of meaning, against words, in a score: measured best for the embedded embedder on conversations. */
const DENSE_WEIGHT = 0.4;

/** Candidates taken from each leg at least, and at most. */
const MIN_CANDIDATES = 100;
const MAX_CANDIDATES = 10_000;

/** Finds episodes by meaning (dense vectors) and by words (BM25), fused. */
export class LongTermSearch {
  constructor(
    private readonly episodes: EpisodesRepository,
    private readonly vectors: VectorIndex,
    private readonly embedder: Embedder,
    private readonly tail: IndexTail,
  ) {}

  /** @throws AppError `vector_index_unavailable`, `database_unavailable` */
  async search(request: LongTermQuery): Promise<LongTermHits> {
    const [tail, dense] = await Promise.all([this.tail.cover(request.projectUid), this.embed(request.query)]);
    const pushdown = request.filter ? compilePushdown(request.filter, CARRIED_FIELDS) : undefined;
    let limit = Math.max(MIN_CANDIDATES, request.topK + request.exclude.size);
    for (;;) {
      const legs = await this.legs(request, { dense, pushdown, limit });
      const scores = join(legs, request.query, tail);
      const uids = [...scores.keys()].filter((uid) => !request.exclude.has(uid));
      const matching = await this.episodes.findMatching(request.projectUid, uids, request.filter);
      const hasLostSome = matching.length < Math.min(request.topK, uids.length);
      const isExhausted = legs.dense.length < limit && legs.sparse.length < limit;
      if (!hasLostSome || isExhausted || limit === MAX_CANDIDATES) {
        return { episodes: best(matching, scores, request), degraded: degradations(dense, tail, legs) };
      }
      limit = Math.min(limit * 4, MAX_CANDIDATES);
    }
  }

  /** The meaning of the query; undefined while the embedder is down: words still find. */
  private async embed(query: string): Promise<ArrayLike<number> | undefined> {
    try {
      const [vector] = await this.embedder.embed([query], { priority: 'query' });
      return vector;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** A collection that is missing is being rebuilt: what the tail finds by words is what there is. */
  private async legs(
    { projectUid, query }: LongTermQuery,
    { dense, ...rest }: Pick<VectorQuery, 'dense' | 'limit'> & { pushdown: PushdownFilter | undefined },
  ): Promise<Legs> {
    try {
      const { limit, pushdown: filter } = rest;
      const hits = await this.vectors.search(projectUid, {
        sparse: encodeQuery(query),
        dense,
        filter,
        limit,
      });
      return { ...hits, isMissing: false };
    } catch (error) {
      if (error instanceof AppError && error.code === 'vector_index_missing') {
        return { dense: [], sparse: [], isMissing: true };
      }
      throw error;
    }
  }
}

interface Legs extends VectorHits {
  readonly isMissing: boolean;
}

/** Scores by uid. An episode of the tail may have an old point: it counts once, by what the index says. */
function join({ dense, sparse }: Legs, query: string, tail: Tail): Map<string, number> {
  const inIndex = new Set(sparse.map(({ id }) => id));
  const waiting = tail.episodes.filter(({ uid }) => !inIndex.has(uid));
  const byWords = rankLexically(
    query,
    waiting.map(({ uid, content }) => ({ id: uid, text: content })),
  );
  return fuse([
    { hits: dense, weight: DENSE_WEIGHT },
    { hits: [...scale(sparse), ...scale(byWords)], weight: 1 - DENSE_WEIGHT },
  ]);
}

function best(
  matching: readonly Episode[],
  scores: ReadonlyMap<string, number>,
  { topK, scoreThreshold = -Infinity }: LongTermQuery,
): ScoredEpisode[] {
  return matching
    .map((episode) => ({ ...episode, score: scores.get(episode.uid) ?? 0 }))
    .filter(({ score }) => score >= scoreThreshold)
    .sort(bestFirst)
    .slice(0, topK);
}

const bestFirst = (a: ScoredEpisode, b: ScoredEpisode): number =>
  b.score - a.score || compare(b.createdAt, a.createdAt) || compare(a.uid, b.uid);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const degradations = (dense: ArrayLike<number> | undefined, tail: Tail, legs: Legs): string[] => [
  ...(dense ? [] : ['embedder_unavailable']),
  ...(tail.isComplete && !legs.isMissing ? [] : ['index_behind']),
];
