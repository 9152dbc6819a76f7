import {
  type Contributions,
  type Cues,
  type OwnScore,
  rankDialogue,
  scoreOf,
  type TimedHit,
  type Turn,
} from '@loci/retrieval';
import { type SearchWeights } from './search-weights.js';

/** Candidates with their scores. */
export interface Ranking {
  /** Best first; equal scores by time, newest first, then uid. */
  readonly candidates: readonly TimedHit[];
  readonly contributions: ReadonlyMap<string, Contributions>;
}

/** Scores candidates and what stands beside them. */
export function rankCandidates(
  turns: readonly Turn[],
  own: ReadonlyMap<string, OwnScore>,
  cues: Cues,
  weights: SearchWeights,
): Ranking {
  const contributions = rankDialogue(turns, own, cues, weights);
  const candidates = turns
    .map(({ id, atMs }) => {
      const gained = contributions.get(id);
      return { id, atMs, score: gained ? scoreOf(gained) : 0 };
    })
    .sort(bestFirst);
  return { candidates, contributions };
}

/** The candidates that score best by themselves. */
export function strongest(
  candidates: ReadonlyMap<string, OwnScore>,
  count: number,
): ReadonlyMap<string, OwnScore> {
  if (candidates.size <= count) return candidates;
  return new Map([...candidates].sort(([, a], [, b]) => b.score - a.score).slice(0, count));
}

const bestFirst = (a: TimedHit, b: TimedHit): number =>
  b.score - a.score || b.atMs - a.atMs || (a.id < b.id ? -1 : 1);
