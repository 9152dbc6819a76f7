import { AppError, type Filter } from '@loci/contracts';
import { encodeQuery, rankLexically } from '@loci/models';
import { type VectorHits, VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { type Feature, featureText } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { type Scope } from '../projects/project.js';
import { FeatureEmbedder } from '../vectors/feature-embedder.js';
import { fuse, scale } from './fusion.js';
import { IndexTail, type Tail } from './index-tail.js';

export interface FeatureQuery {
  readonly scope: Scope;
  readonly setUid: string;
  readonly text: string;
  /** What `FeatureSearch.embed` gave for the text. */
  readonly dense: ArrayLike<number> | undefined;
  readonly filter: Filter | undefined;
  readonly topK: number;
}

export interface FeatureHits {
  /** Best first; equal scores by uid. */
  readonly features: readonly Feature[];
  /** False when the vector index does not have everything yet. */
  readonly isComplete: boolean;
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
    private readonly vectors: VectorIndex,
    private readonly embedder: FeatureEmbedder,
    private readonly tail: IndexTail,
  ) {}

  /** The meaning of a query; undefined while the embedder is down: words still find. */
  async embed(text: string): Promise<ArrayLike<number> | undefined> {
    try {
      const [vector] = await this.embedder.embed([text], { priority: 'query' });
      return vector;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** @throws AppError `vector_index_unavailable`, `database_unavailable` */
  async search(query: FeatureQuery): Promise<FeatureHits> {
    const tail = await this.tail.cover(query.setUid);
    let limit = Math.max(MIN_CANDIDATES, query.topK);
    for (;;) {
      const legs = await this.legs(query, limit);
      const scores = join(legs, query.text, tail);
      const matching = await this.features.findMatching(
        query.scope,
        query.setUid,
        [...scores.keys()],
        query.filter,
      );
      const hasLostSome = matching.length < Math.min(query.topK, scores.size);
      const isExhausted = legs.dense.length < limit && legs.sparse.length < limit;
      if (!hasLostSome || isExhausted || limit === MAX_CANDIDATES) {
        const isComplete = tail.isComplete && !legs.isMissing;
        return { features: best(matching, scores, query.topK), isComplete };
      }
      limit = Math.min(limit * 4, MAX_CANDIDATES);
    }
  }

  /** A collection that is missing is being rebuilt: what the tail finds by words is what there is. */
  private async legs({ setUid, text, dense }: FeatureQuery, limit: number): Promise<Legs> {
    try {
      const hits = await this.vectors.search(setUid, { sparse: encodeQuery(text), dense, limit });
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

/** Scores by uid. A feature of the tail may have an old point: its words of today count, not those of the point. */
function join({ dense, sparse }: Legs, text: string, tail: Tail): Map<string, number> {
  const waiting = new Set(tail.features.map(({ uid }) => uid));
  const upToDate = <Hit extends { id: string }>(hits: readonly Hit[]): Hit[] =>
    hits.filter(({ id }) => !waiting.has(id));
  const byWords = rankLexically(
    text,
    tail.features.map((feature) => ({ id: feature.uid, text: featureText(feature) })),
  );
  return fuse([
    { hits: upToDate(dense), weight: DENSE_WEIGHT },
    { hits: [...scale(upToDate(sparse)), ...scale(byWords)], weight: 1 - DENSE_WEIGHT },
  ]);
}

const best = (matching: readonly Feature[], scores: ReadonlyMap<string, number>, topK: number): Feature[] =>
  [...matching]
    .sort((a, b) => (scores.get(b.uid) ?? 0) - (scores.get(a.uid) ?? 0) || (a.uid < b.uid ? -1 : 1))
    .slice(0, topK);
