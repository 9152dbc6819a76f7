import { AppError, type Explanation, type Filter } from '@loci/contracts';
import {
  indexBehind,
  IndexVersions,
  UnindexedItems,
  type OpenIndexVersion,
  type OwnerIndex,
  type OwnerIndexVersions,
  type Unindexed,
  WordStatistics,
} from '@loci/indexing';
import { rankLexically, rerank, RERANKED, type RerankerSource, type TermRarity } from '@loci/models';
import { inParts } from '@loci/platform';
import { type OwnScore, ownScores, type SimilarityCurve, SimilarityCurves } from '@loci/retrieval';
import { compilePushdown, onlyIds, type PushdownFilter, type VectorHits } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { type Feature, featureText } from '../features/feature.js';
import { type ReadTime } from '../features/held-features.js';
import { type Partition } from '../features/partition.js';
import { MAX_READ_BYTES } from '../features/bounded-records.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { type Scope } from '../projects/project.js';
import { POINT_FIELDS, type IndexedFeature } from '../indexing/feature-points.js';
import { type Evidence, explained } from './feature-explanation.js';
import { DENSE_WEIGHT, featureScore } from './feature-score.js';
import { type QueryMeaning } from './query-meaning.js';

/** A set, and whose it is. */
export interface SearchedSet {
  readonly uid: string;
  /** Absent at the level of the organization. */
  readonly projectUid: string | undefined;
}

export interface FeatureQuery {
  readonly scope: Scope;
  readonly set: SearchedSet;
  /** That of the set, where it has just been read. */
  readonly index?: OwnerIndex | undefined;
  readonly meaning: QueryMeaning;
  readonly filter: Filter | undefined;
  /** Default: what has not ended. */
  readonly time?: ReadTime | undefined;
  /** Absent = all. */
  readonly partition?: Partition | undefined;
  readonly topK: number;
  /** What features of the set are read at once at most, in bytes; default `MAX_READ_BYTES`. */
  readonly maxBytes?: number | undefined;
  /** Sorts the first hits again; undefined: they keep their sequence. */
  readonly reranker: RerankerSource | undefined;
  /** Whether hits say what their scores are made of. Absent = no. */
  readonly explain?: boolean | undefined;
}

export interface FeatureHits {
  /** Best first; equal scores by uid, or in the sequence before the reranker's. */
  readonly features: readonly FoundFeature[];
  /** What could not take part, as in the answer of a search. */
  readonly degraded: readonly string[];
}

/** What a set that never had a feature gives. */
const NOTHING: FeatureHits = { features: [], degraded: [] };

interface Ranked {
  readonly uid: string;
  readonly score: number;
}

/** A feature with its score, 0 to 1. */
export type FoundFeature = Feature & Ranked & { readonly explanation?: Explanation };

/** Candidates taken from each leg at least, and at most. */
const MIN_CANDIDATES = 100;
const MAX_CANDIDATES = 10_000;

/** Candidates that are read at a time, once the first did not do. */
const MIN_PAGE = 50;

/** What points can't decide is decided before the search, unless more features than these match. */
const MAX_MATCHES = 10_000;

/** Finds features of a set by meaning (dense vectors) and by words (BM25), fused. */
@Injectable()
export class FeatureSearch {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly indexVersions: IndexVersions,
    private readonly unindexed: UnindexedItems<IndexedFeature>,
    private readonly words: WordStatistics,
    private readonly curves: SimilarityCurves,
  ) {}

  /** @throws AppError `vector_index_unavailable`, `database_unavailable` */
  async search(query: FeatureQuery): Promise<FeatureHits> {
    const { set, meaning, topK, reranker } = query;
    const { uid: setUid } = set;
    const before = query.index ? this.indexVersions.of(query.index) : await this.indexVersions.find(setUid);
    if (before.all.length === 0 && !before.hasWaiting) return NOTHING;
    const [unindexed, dense, pushdown, rarity, curve] = await Promise.all([
      this.unindexed.cover(setUid, before, meaning.encoded),
      before.active && meaning.in(before.active),
      this.pushdownOf(query),
      this.words.rarityFor(setUid, before),
      this.curves.of(before.active),
    ]);
    const index: FoundIndex = before.active
      ? { active: before.active, dense }
      : await this.firstIndex(setUid, meaning, before);
    const isByMeaning = index.active ? index.dense !== undefined : unindexed.texts.length === 0;
    const { found, isMissing, evidence } = await this.candidates(
      query,
      { ...index, pushdown, rarity, curve },
      unindexed,
    );
    const { hits, opinions, degraded } = await rerank(reranker, meaning.text, found, featureText);
    const best = hits.slice(0, topK);
    return {
      features: query.explain === true ? explained(best, evidence, opinions) : best,
      degraded: [
        ...(isByMeaning ? [] : ['embedder_unavailable']),
        ...indexBehind(unindexed, isMissing),
        ...degraded,
      ],
    };
  }

  /**
   * What the index does of the filter: all of it, by what points carry or by the ids of the features that match; when it
   * is neither, the hits are sifted. Which features of a set of the organization a caller of one project may read, and of
   * which partition they are, points do not carry; nearly all of the features of a project are in its trusted partition.
   */
  private async pushdownOf({
    scope,
    set,
    filter,
    time,
    partition,
  }: FeatureQuery): Promise<PushdownFilter | undefined> {
    const isOfOrg = set.projectUid === undefined;
    const isPartly =
      time?.validity === 'ended' ||
      time?.validity === 'expired' ||
      (scope.organization === 'none' && isOfOrg) ||
      (partition && (isOfOrg || !partition.isTrusted));
    if (!filter && !isPartly) return undefined;
    const pushdown = filter && compilePushdown(filter, POINT_FIELDS);
    if (pushdown?.exact && !isPartly) return pushdown;
    const wanted = { filter, partition, ...time };
    const uids = await this.features.uidsMatching(scope, set.uid, wanted, MAX_MATCHES + 1);
    return uids.length > MAX_MATCHES ? pushdown : onlyIds(uids);
  }

  /** The best that match: as many as are asked for, or as the reranker reads. */
  private async candidates(
    query: FeatureQuery,
    index: SearchedIndex,
    unindexed: Unindexed,
  ): Promise<{ found: readonly FoundFeature[]; isMissing: boolean; evidence: Evidence }> {
    const { topK, reranker } = query;
    const wanted = reranker ? Math.max(topK, RERANKED) : topK;
    let limit = Math.max(MIN_CANDIDATES, topK);
    for (;;) {
      const { isMissing, ...legs } = await findLegs(index, query, limit);
      const evidence = join(legs, query, index, unindexed);
      const found = await this.read(query, evidence.own, wanted);
      const hasLostSome = found.length < Math.min(topK, evidence.own.size);
      const isExhausted = legs.dense.length < limit && legs.sparse.length < limit;
      if (!hasLostSome || isExhausted || limit === MAX_CANDIDATES) return { found, isMissing, evidence };
      limit = Math.min(limit * 4, MAX_CANDIDATES);
    }
  }

  /** The first features of a set get their index when unindexed items are covered; of a set without features there is none. */
  private async firstIndex(
    setUid: string,
    meaning: QueryMeaning,
    { hasWaiting }: OwnerIndexVersions,
  ): Promise<FoundIndex> {
    const active = hasWaiting ? (await this.indexVersions.find(setUid)).active : undefined;
    return active ? { active, dense: await meaning.in(active) } : {};
  }

  /**
   * The best that match. Few are read first, and then as many at a time as are wanted: more are wanted only where some are gone,
   * or the filter leaves out many.
   */
  private async read(
    { scope, set, filter, time, partition, maxBytes = MAX_READ_BYTES }: FeatureQuery,
    own: ReadonlyMap<string, OwnScore>,
    wanted: number,
  ): Promise<FoundFeature[]> {
    const scores = new Map([...own].map(([uid, { score }]) => [uid, featureScore(score)]));
    const ranking = [...scores].map(([uid, score]) => ({ uid, score })).sort(bestFirst);
    const uids = ranking.map(({ uid }) => uid);
    const found: FoundFeature[] = [];
    const pages = [uids.slice(0, wanted), ...inParts(uids.slice(wanted), Math.max(wanted, MIN_PAGE))];
    for (const page of pages) {
      if (page.length === 0 || found.length >= wanted) break;
      const asked = { filter, partition, ...time };
      const matching = await this.features.findMatching(scope, set.uid, page, asked, maxBytes);
      const scored = matching.map((feature) => ({ ...feature, score: scores.get(feature.uid) ?? 0 }));
      found.push(...scored.sort(bestFirst));
    }
    return found.slice(0, wanted);
  }
}

interface FoundIndex {
  readonly active?: OpenIndexVersion;
  readonly dense?: ArrayLike<number> | undefined;
}

interface SearchedIndex extends FoundIndex {
  /** How rare words are in the set. */
  readonly rarity: TermRarity;
  /** Of the embedder of the index. */
  readonly curve: SimilarityCurve;
  readonly pushdown?: PushdownFilter | undefined;
}

/** A collection that is missing is being rebuilt: unindexed items, which words find, are all there is. */
async function findLegs(
  { active, dense, pushdown, rarity }: SearchedIndex,
  { set, meaning }: FeatureQuery,
  limit: number,
): Promise<Legs> {
  if (!active) return { ...NO_HITS, isMissing: false };
  try {
    const sparse = rarity.weigh(meaning.encoded.words);
    const hits = await active.vectors.search(set.uid, { sparse, dense, filter: pushdown, limit });
    return { ...hits, isMissing: false };
  } catch (error) {
    if (error instanceof AppError && error.code === 'vector_index_missing') {
      return { ...NO_HITS, isMissing: true };
    }
    throw error;
  }
}

const NO_HITS: VectorHits = { dense: [], sparse: [] };

interface Legs extends VectorHits {
  readonly isMissing: boolean;
}

/**
 * What the legs say of each feature. An unindexed feature has no vector: what it repeats of the query counts as its meaning.
 * It may have an old point: its words of today count, not those of the point.
 */
function join(
  { dense, sparse }: VectorHits,
  { meaning: { encoded } }: FeatureQuery,
  { curve, rarity }: SearchedIndex,
  { texts }: Unindexed,
): Evidence {
  const waiting = new Set(texts.map(({ id }) => id));
  const upToDate = <Hit extends { id: string }>(hits: readonly Hit[]): Hit[] =>
    hits.filter(({ id }) => !waiting.has(id));
  const legs = { dense: upToDate(dense), sparse: upToDate(sparse) };
  const own = ownScores(
    {
      ...legs,
      waiting: texts.length > 0 ? rankLexically(encoded, texts, rarity) : [],
      curve,
      terms: encoded.words.indices.length,
      documents: rarity.documents,
    },
    DENSE_WEIGHT,
  );
  return { legs, own };
}

/** Equal scores by uid. */
export const bestFirst = (a: Ranked, b: Ranked): number => b.score - a.score || (a.uid < b.uid ? -1 : 1);
