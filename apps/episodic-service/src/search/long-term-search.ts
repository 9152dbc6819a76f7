import { AppError, type Filter } from '@loci/contracts';
import { encodeQuery, type Embedder, rankLexically } from '@loci/models';
import { compilePushdown, type PushdownFilter, type VectorIndex } from '@loci/vectors';
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

export interface LongTermHits {
  /** Best first; equal scores by time, newest first, then uid. */
  readonly episodes: readonly (Episode & { readonly score: number })[];
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

  /** @throws AppError `vector_index_unavailable`, `vector_index_missing`, `database_unavailable` */
  async search(request: LongTermQuery): Promise<LongTermHits> {
    const [tail, dense] = await Promise.all([this.tail.cover(request.projectUid), this.embed(request.query)]);
    const pushdown = request.filter ? compilePushdown(request.filter, CARRIED_FIELDS) : { exact: true };
    const wanted = request.topK + request.exclude.size;
    let limit = Math.max(MIN_CANDIDATES, wanted);
    for (;;) {
      const { scores, isExhausted } = await this.candidates(request, { dense, tail, pushdown, limit });
      const hits = await this.rank(request, scores);
      if (hits.length === request.topK || pushdown.exact || isExhausted || limit >= MAX_CANDIDATES) {
        return { episodes: hits, degraded: degradations(dense, tail) };
      }
      limit *= 4;
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

  private async candidates(
    { projectUid, query }: LongTermQuery,
    {
      dense,
      tail,
      pushdown,
      limit,
    }: { dense: ArrayLike<number> | undefined; tail: Tail; pushdown: PushdownFilter; limit: number },
  ): Promise<{ scores: Map<string, number>; isExhausted: boolean }> {
    const legs = await this.vectors.search(projectUid, {
      sparse: encodeQuery(query),
      filter: pushdown,
      limit,
      ...(dense && { dense }),
    });
    const byWords = scale(
      rankLexically(
        query,
        tail.episodes.map(({ uid, content }) => ({ id: uid, text: content })),
      ),
    );
    const scores = fuse([
      { hits: legs.dense, weight: DENSE_WEIGHT },
      { hits: [...scale(legs.sparse), ...byWords], weight: 1 - DENSE_WEIGHT },
    ]);
    return { scores, isExhausted: legs.dense.length < limit && legs.sparse.length < limit };
  }

  private async rank(
    { projectUid, filter, topK, scoreThreshold = -Infinity, exclude }: LongTermQuery,
    scores: ReadonlyMap<string, number>,
  ): Promise<(Episode & { score: number })[]> {
    const uids = [...scores.keys()].filter((uid) => !exclude.has(uid));
    const matching = await this.episodes.findMatching(projectUid, uids, filter);
    return matching
      .map((episode) => ({ ...episode, score: scores.get(episode.uid) ?? 0 }))
      .filter(({ score }) => score >= scoreThreshold)
      .sort(bestFirst)
      .slice(0, topK);
  }
}

const bestFirst = (a: Episode & { score: number }, b: Episode & { score: number }): number =>
  b.score - a.score || compare(b.createdAt, a.createdAt) || compare(a.uid, b.uid);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const degradations = (dense: ArrayLike<number> | undefined, tail: Tail): string[] => [
  ...(dense ? [] : ['embedder_unavailable']),
  ...(tail.isComplete ? [] : ['index_behind']),
];
