import {
  AppError,
  type CutCandidate,
  type Explanation,
  type Filter,
  MAX_ANSWER_BYTES,
} from '@loci/contracts';
import {
  type IndexVersions,
  indexBehind,
  isEmbedderOutage,
  type UnindexedItems,
  type OpenIndexVersion,
  type OwnerIndex,
  type OwnerIndexVersions,
  type Unindexed,
  type WordStatistics,
} from '@loci/indexing';
import { encodedQuery, rerank, RERANKED, type RerankerSource } from '@loci/models';
import {
  candidatesFor,
  diversify,
  type OwnScore,
  type SearchWeights,
  type SimilarityCurves,
  stateAskedFor,
  type TimedHit,
  timeSpansIn,
  wantsAnswer,
  withoutNames,
} from '@loci/retrieval';
import { type Episode } from '../episodes/episode.js';
import { type EpisodesRepository } from '../episodes/episodes.repository.js';
import { withAskedStatement } from './asked-statement.js';
import { findLegs, joinLegs, type Legs } from './candidates.js';
import { contextSize, expandInSteps } from './context-expansion.js';
import { explained } from './explanation.js';
import { pushdownOf } from './filter-pushdown.js';
import { firstMatching } from './first-matching.js';
import { type Ranking, rankCandidates, strongest } from './ranking.js';
import { type TurnsRepository } from './turns.repository.js';

export interface LongTermQuery {
  readonly projectUid: string;
  /** Of the project, as it was when the search began. */
  readonly index: OwnerIndex;
  /** Who speaks in what is searched. */
  readonly participants: readonly string[];
  /** Of each participant, the share of the newest turns, when the filter lets one conversation through alone. */
  readonly shares: ReadonlyMap<string, number> | undefined;
  readonly query: string;
  readonly filter: Filter | undefined;
  readonly topK: number;
  /** Only hits with at least this score. */
  readonly scoreThreshold: number | undefined;
  /** Neighbours that each hit brings in. They count towards `topK`, and have the hit's score. */
  readonly expandContext: number;
  /** 0 to 1: how much hits of one moment stand back for those of others. */
  readonly diversity: number;
  /** What "last week" is relative to, Unix ms. */
  readonly referenceMs: number;
  /** Sorts the first hits again; its scores are then the scores. Called when there is something to sort. */
  readonly reranker: RerankerSource | undefined;
  /** Says what each score is made of, and what was cut. */
  readonly explain: boolean;
  /** Uids that must not be among the hits. */
  readonly exclude: Promise<ReadonlySet<string>>;
}

export type ScoredEpisode = Episode & { readonly score: number; readonly explanation?: Explanation };

export interface LongTermHits {
  /** Best first; equal scores by time, newest first, then uid. A hit comes right before the context it brings in. */
  readonly episodes: readonly ScoredEpisode[];
  /** The best candidates that are not among them; only when asked to explain. */
  readonly cut: readonly CutCandidate[] | undefined;
  readonly degraded: readonly string[];
}

export interface LongTermSearchParts {
  readonly episodes: EpisodesRepository;
  readonly turns: TurnsRepository;
  readonly indexVersions: Pick<IndexVersions, 'ensureFrom' | 'find'>;
  readonly unindexed: UnindexedItems<Episode>;
  readonly words: Pick<WordStatistics, 'rarityFor'>;
  readonly curves: Pick<SimilarityCurves, 'of'>;
  readonly weights: SearchWeights;
}

/** A reranker is given more candidates than the answer has. */
const MAX_RERANKED_BYTES = 4 * MAX_ANSWER_BYTES;

/** Hits taken from each leg at least, and at most: deep, so that few candidates of one leg lack their score of the other. */
const MIN_HITS = 200;
const MAX_HITS = 10_000;

/** Finds episodes by meaning (dense vectors) and by words (BM25), fused, and scored in their dialogue. */
export class LongTermSearch {
  constructor(private readonly parts: LongTermSearchParts) {}

  /** @throws AppError `vector_index_unavailable`, `database_unavailable` */
  async search(request: LongTermQuery): Promise<LongTermHits> {
    const { projectUid, query, filter, topK, reranker } = request;
    const { indexVersions } = this.parts;
    const index = await ready(() => indexVersions.ensureFrom(projectUid, request.index));
    const encoded = encodedQuery(query);
    const [waiting, dense, rarity, curve] = await Promise.all([
      this.parts.unindexed.cover(projectUid, index, encoded),
      embedQuery(index.active, withoutNames(query, request.participants)),
      this.parts.words.rarityFor(projectUid, request.index),
      this.parts.curves.of(index.active),
    ]);
    const asked = { query: encoded, rarity: rarity.among(request.shares) };
    // what was waiting may have got the first index of the project meanwhile
    const indexVersion = index.active ?? (await indexVersions.find(projectUid)).active;
    const pushdown = filter && pushdownOf(filter);
    const wanted = reranker ? Math.max(topK, RERANKED) : topK;
    let limit = Math.max(MIN_HITS, 4 * topK);
    let candidates = candidatesFor(topK);
    for (;;) {
      const legs = await findLegs(indexVersion, projectUid, asked, { dense, filter: pushdown, limit });
      const joined = joinLegs(legs, asked, waiting, { curve, denseWeight: this.parts.weights.dense });
      const looked = strongest(joined, candidates, wantsAnswer(query) ? [] : legs.sparse);
      const [ranked, excluded] = await Promise.all([this.rank(request, looked, joined), request.exclude]);
      const lead = this.parts.weights.statement;
      const ranking = await withAskedStatement(ranked, indexVersion, {
        projectUid,
        query,
        excluded,
        lead,
        curve,
      });
      const eligible = ranking.candidates.filter(({ id }) => !excluded.has(id));
      const found = await this.read(request, diversify(eligible, request.diversity, topK), wanted);
      const isExhausted =
        legs.dense.length < limit && legs.sparse.length < limit && looked.length === joined.size;
      if (found.length >= topK || isExhausted || limit === MAX_HITS) {
        const { hits, opinions, degraded } = await rerank(reranker, query, found, spokenText);
        const episodes = await this.complete(request, hits);
        const reranked = new Map(
          [...opinions].map(([{ uid, score }, opinion]) => [uid, { ...opinion, score }] as const),
        );
        const evidence = { legs, own: joined, weights: this.parts.weights, ranking, excluded, reranked };
        return {
          ...(request.explain ? explained(episodes, found, evidence, request) : { episodes, cut: undefined }),
          degraded: [...degradations(dense, waiting, legs), ...degraded],
        };
      }
      limit = Math.min(limit * 4, MAX_HITS);
      candidates *= 4;
    }
  }

  /** @param own of all that the legs found: what stands beside a candidate need not be one to tell something of it */
  private async rank(
    { projectUid, query, referenceMs }: LongTermQuery,
    uids: readonly string[],
    own: ReadonlyMap<string, OwnScore>,
  ): Promise<Ranking> {
    const isAnswerWanted = wantsAnswer(query);
    const turns = await this.parts.turns.around(projectUid, uids, {
      changes: stateAskedFor(query) !== undefined,
      questions: isAnswerWanted,
      exact: isAnswerWanted ? undefined : query,
    });
    const cues = { query, spans: timeSpansIn(query, referenceMs), askedMs: referenceMs };
    return rankCandidates(turns, own, cues, this.parts.weights);
  }

  /** The first episodes of a ranking that exist and match. */
  private read(
    { projectUid, filter, scoreThreshold = -Infinity, reranker }: LongTermQuery,
    ranking: readonly TimedHit[],
    count: number,
  ): Promise<ScoredEpisode[]> {
    const eligible = reranker ? ranking : ranking.filter(({ score }) => score >= scoreThreshold);
    const maxBytes = reranker ? MAX_RERANKED_BYTES : MAX_ANSWER_BYTES;
    return firstMatching(this.parts.episodes, eligible, { projectUid, filter, count, maxBytes });
  }

  /** The hits that the request asks for, with their context. */
  private async complete(
    { projectUid, filter, topK, scoreThreshold = -Infinity, expandContext, exclude }: LongTermQuery,
    found: readonly ScoredEpisode[],
  ): Promise<ScoredEpisode[]> {
    const hits = found.filter(({ score }) => score >= scoreThreshold).slice(0, topK);
    const size = contextSize(expandContext, topK);
    if (hits.length === 0 || size.before + size.after === 0) return hits;
    const excluded = await exclude;
    const contextOf = async (uids: readonly string[]): Promise<[string, string[]][]> =>
      [...(await this.parts.turns.contextOf(projectUid, uids, filter, size))].map(([hit, neighbours]) => [
        hit,
        neighbours.filter((uid) => !excluded.has(uid)),
      ]);
    const uids = hits.map(({ uid }) => uid);
    const broughtBy = await expandInSteps(uids, contextOf, { topK, size });
    const areHits = new Set(uids);
    const missing = [...broughtBy.keys()].filter((uid) => !areHits.has(uid));
    const neighbours = await this.parts.episodes.findMatching(projectUid, missing, filter);
    const known = new Map<string, Episode>([...neighbours, ...hits].map((episode) => [episode.uid, episode]));
    const scores = new Map(hits.map(({ uid, score }) => [uid, score]));
    return [...broughtBy].flatMap(([uid, hit]) => {
      const episode = known.get(uid);
      return episode ? [{ ...episode, score: scores.get(hit) ?? 0 }] : [];
    });
  }
}

type IndexAtHand = Pick<OwnerIndexVersions, 'active' | 'hasWaiting'>;

/** Without an index version while a new project cannot have one, because its embedder is not ready: words still find. */
async function ready(ensure: () => Promise<IndexAtHand>): Promise<IndexAtHand> {
  try {
    return await ensure();
  } catch (error) {
    if (isEmbedderOutage(error)) return { active: undefined, hasWaiting: true };
    throw error;
  }
}

/** The meaning of the query; undefined while the embedder is down: words still find. */
async function embedQuery(
  indexVersion: OpenIndexVersion | undefined,
  query: string,
): Promise<ArrayLike<number> | undefined> {
  try {
    return await indexVersion?.embedQuery(query);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** What a reranker reads of an episode. */
const spokenText = ({ producerId, content }: Episode): string => `${producerId}: ${content}`;

const degradations = (dense: ArrayLike<number> | undefined, unindexed: Unindexed, legs: Legs): string[] => [
  ...(dense ? [] : ['embedder_unavailable']),
  ...indexBehind(unindexed, legs.isMissing),
];
