import { AppError, type Filter } from '@loci/contracts';
import { IndexSpaces, IndexTail, type Tail } from '@loci/indexing';
import { encodeQuery, rankLexically, rerank, RERANKED, type RerankerSource } from '@loci/models';
import { fuse, scale } from '@loci/retrieval';
import { compilePushdown, type VectorHits, type VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { type Feature, featureText } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { type Scope } from '../projects/project.js';
import { CARRIED_FIELDS, type IndexedFeature } from '../indexing/feature-points.js';
import { type QueryMeaning } from './query-meaning.js';

export interface FeatureQuery {
  readonly scope: Scope;
  readonly setUid: string;
  readonly meaning: QueryMeaning;
  readonly filter: Filter | undefined;
  readonly topK: number;
  /** Orders the first hits anew; undefined: they stay in their order. */
  readonly reranker: RerankerSource | undefined;
}

export interface FeatureHits {
  /** Best first; equal scores by uid, or in the order before the reranker's. */
  readonly features: readonly Feature[];
  /** What could not take part, as in the answer of a search. */
  readonly degraded: readonly string[];
}

interface ScoredFeature extends Feature {
  readonly score: number;
}

/** The share of meaning, against words, in a score. Features are short: a word that fits tells less than in a message. */
const DENSE_WEIGHT = 0.5;

/** Candidates taken from each leg at least, and at most. */
const MIN_CANDIDATES = 100;
const MAX_CANDIDATES = 10_000;

/** Finds features of a set by meaning (dense vectors) and by words (BM25), fused. */
@Injectable()
export class FeatureSearch {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly spaces: IndexSpaces,
    private readonly tail: IndexTail<IndexedFeature>,
  ) {}

  /** @throws AppError `vector_index_unavailable`, `database_unavailable` */
  async search(query: FeatureQuery): Promise<FeatureHits> {
    const { setUid, meaning, topK, reranker } = query;
    const [tail, before] = await Promise.all([this.tail.cover(setUid), this.index(setUid, meaning)]);
    // the first features of a set get their index when the tail is covered
    const index = before.vectors ? before : await this.index(setUid, meaning);
    const isByMeaning = index.vectors ? index.dense !== undefined : tail.items.length === 0;
    const { found, isMissing } = await this.candidates(query, index, tail);
    const { hits, degraded } = await rerank(reranker, meaning.text, found, featureText);
    return {
      features: hits.slice(0, topK),
      degraded: [
        ...(isByMeaning ? [] : ['embedder_unavailable']),
        ...(tail.isComplete && !isMissing ? [] : ['index_behind']),
        ...degraded,
      ],
    };
  }

  /** The best that match: as many as are asked for, or as the reranker reads. */
  private async candidates(
    query: FeatureQuery,
    index: SearchedIndex,
    tail: Tail<IndexedFeature>,
  ): Promise<{ found: readonly ScoredFeature[]; isMissing: boolean }> {
    const { scope, setUid, meaning, filter, topK, reranker } = query;
    const wanted = reranker ? Math.max(topK, RERANKED) : topK;
    let limit = Math.max(MIN_CANDIDATES, topK);
    for (;;) {
      const { isMissing, ...legs } = await findLegs(index, query, limit);
      const scores = join(legs, meaning.text, tail);
      const matching = await this.features.findMatching(scope, setUid, [...scores.keys()], filter);
      const hasLostSome = matching.length < Math.min(topK, scores.size);
      const isExhausted = legs.dense.length < limit && legs.sparse.length < limit;
      const ranked = best(matching, scores, wanted);
      if (!hasLostSome || isExhausted) return { found: ranked, isMissing };
      if (limit === MAX_CANDIDATES) return { found: await this.fillUp(ranked, query, wanted), isMissing };
      limit = Math.min(limit * 4, MAX_CANDIDATES);
    }
  }

  /** Of a set that never had a feature there is none. */
  private async index(setUid: string, meaning: QueryMeaning): Promise<SearchedIndex> {
    const { active } = await this.spaces.find(setUid);
    return active ? { vectors: active.vectors, dense: await meaning.in(active) } : {};
  }

  /** A filter that hardly any feature passes: those that do are few enough to be asked for, and ranked by words. */
  private async fillUp(
    ranked: readonly ScoredFeature[],
    { scope, setUid, filter, meaning }: FeatureQuery,
    wanted: number,
  ): Promise<ScoredFeature[]> {
    const { features } = await this.features.list(scope, [setUid], filter, {
      offset: 0,
      limit: MAX_CANDIDATES,
    });
    const known = new Set(ranked.map(({ uid }) => uid));
    const others = features.filter(({ uid }) => !known.has(uid));
    const documents = others.map((feature) => ({ id: feature.uid, text: featureText(feature) }));
    const scores = new Map(rankLexically(meaning.text, documents).map(({ id, score }) => [id, score]));
    return [...ranked, ...best(others, scores, wanted)].slice(0, wanted);
  }
}

interface SearchedIndex {
  readonly vectors?: VectorIndex;
  readonly dense?: ArrayLike<number> | undefined;
}

/** A collection that is missing is being rebuilt: what the tail finds by words is what there is. */
async function findLegs(
  { vectors, dense }: SearchedIndex,
  { setUid, meaning, filter }: FeatureQuery,
  limit: number,
): Promise<Legs> {
  if (!vectors) return { dense: [], sparse: [], isMissing: false };
  try {
    const pushdown = filter && compilePushdown(filter, CARRIED_FIELDS);
    const sparse = encodeQuery(meaning.text);
    const hits = await vectors.search(setUid, { sparse, dense, filter: pushdown, limit });
    return { ...hits, isMissing: false };
  } catch (error) {
    if (error instanceof AppError && error.code === 'vector_index_missing') {
      return { dense: [], sparse: [], isMissing: true };
    }
    throw error;
  }
}

interface Legs extends VectorHits {
  readonly isMissing: boolean;
}

/** Scores by uid. A feature of the tail may have an old point: its words of today count, not those of the point. */
function join({ dense, sparse }: VectorHits, text: string, tail: Tail<IndexedFeature>): Map<string, number> {
  const waiting = new Set(tail.items.map(({ uid }) => uid));
  const upToDate = <Hit extends { id: string }>(hits: readonly Hit[]): Hit[] =>
    hits.filter(({ id }) => !waiting.has(id));
  const byWords = rankLexically(
    text,
    tail.items.map((feature) => ({ id: feature.uid, text: featureText(feature) })),
  );
  return fuse([
    { hits: upToDate(dense), weight: DENSE_WEIGHT },
    { hits: [...scale(upToDate(sparse)), ...scale(byWords)], weight: 1 - DENSE_WEIGHT },
  ]);
}

const best = (
  matching: readonly Feature[],
  scores: ReadonlyMap<string, number>,
  wanted: number,
): ScoredFeature[] =>
  matching
    .map((feature) => ({ ...feature, score: scores.get(feature.uid) ?? 0 }))
    .sort((a, b) => b.score - a.score || (a.uid < b.uid ? -1 : 1))
    .slice(0, wanted);
