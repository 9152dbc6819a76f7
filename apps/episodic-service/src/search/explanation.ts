import { type CutCandidate, type CutReason, type Explanation, type RerankerPart } from '@loci/contracts';
import { type Opinion } from '@loci/models';
import {
  type OwnScore,
  ownParts,
  type RanksOfLegs,
  ranksOfLegs,
  type SearchWeights,
  sumOf,
} from '@loci/retrieval';
import { type Legs } from './candidates.js';
import { type Ranking } from './ranking.js';

/** Candidates that an answer names beside its hits. */
const NAMED_CUTS = 20;

/** What a search knows of its candidates. */
export interface Evidence {
  readonly legs: Legs;
  readonly own: ReadonlyMap<string, OwnScore>;
  readonly ranking: Ranking;
  readonly weights: SearchWeights;
  /** What short-term memory shows already. */
  readonly excluded: ReadonlySet<string>;
  /** What the reranker made of the candidates that it read, by uid. */
  readonly reranked: ReadonlyMap<string, Opinion & { readonly score: number }>;
}

interface Scored {
  readonly uid: string;
  readonly score: number;
}

/**
 * The hits with what their scores are made of, and the best candidates that are not among them.
 * @param read the candidates that matched when they were read, hits or not
 */
export function explained<Hit extends Scored>(
  hits: readonly Hit[],
  read: readonly Scored[],
  evidence: Evidence,
  { scoreThreshold = -Infinity }: { readonly scoreThreshold: number | undefined },
): { episodes: (Hit & { readonly explanation: Explanation })[]; cut: CutCandidate[] } {
  const among = new Set(hits.map(({ uid }) => uid));
  const matching = new Set(read.map(({ uid }) => uid));
  const lowestRead = Math.min(...read.map(({ score }) => score));
  const scoreOf = ({ uid, score }: Scored): number => evidence.reranked.get(uid)?.score ?? score;
  const reasonOf = ({ uid, score }: Scored): CutReason => {
    if (evidence.excluded.has(uid)) return 'short_term_memory';
    if (scoreOf({ uid, score }) < scoreThreshold) return 'score_threshold';
    return matching.has(uid) || score <= lowestRead ? 'top_k' : 'filter_or_deleted';
  };
  const cut = evidence.ranking.candidates
    .filter(({ id }) => !among.has(id))
    .slice(0, NAMED_CUTS)
    .map(({ id: uid, score }) => ({ uid, score: scoreOf({ uid, score }), reason: reasonOf({ uid, score }) }))
    .sort((a, b) => b.score - a.score);
  const ranks = ranksOfLegs(evidence.legs);
  return { episodes: hits.map((hit) => ({ ...hit, explanation: explain(hit.uid, ranks, evidence) })), cut };
}

function explain(
  uid: string,
  ranks: RanksOfLegs,
  { own, ranking, weights, reranked }: Evidence,
): Explanation {
  const gained = ranking.contributions.get(uid);
  if (!gained) return { parts: [], sum: 0 };
  return {
    parts: [
      ...ownParts(uid, ranks, own.get(uid), weights.dense),
      { name: 'neighbours', weight: weights.neighbours, contribution: gained.neighbours },
      { name: 'second_neighbours', weight: weights.secondNeighbours, contribution: gained.secondNeighbours },
      { name: 'session', weight: weights.session, contribution: gained.session },
      { name: 'participant', weight: weights.participant, contribution: gained.participant },
      { name: 'time', weight: weights.time, contribution: gained.time },
      { name: 'first_person', weight: weights.firstPerson, contribution: gained.firstPerson },
      { name: 'recency', weight: weights.recency, contribution: gained.recency },
      { name: 'state', weight: weights.state, contribution: gained.state },
      { name: 'change', weight: weights.change, contribution: gained.change },
      { name: 'question', weight: weights.question, contribution: gained.question },
      { name: 'statement', weight: weights.statement, contribution: gained.statement },
      { name: 'exact', weight: weights.exact, contribution: gained.exact },
    ],
    sum: sumOf(gained),
    reranker: rerankerPart(reranked.get(uid)),
  };
}

const rerankerPart = (given: Opinion | undefined): RerankerPart | undefined =>
  given && {
    raw: given.raw,
    rank: given.rank,
    opinion: given.opinion,
    weight: given.weight,
    scoreBefore: given.scoreBefore,
  };
