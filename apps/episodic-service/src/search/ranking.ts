import {
  type Contributions,
  type Cues,
  type OwnScore,
  rankDialogue,
  scoreOf,
  type SearchWeights,
  type TimedHit,
  type Turn,
} from '@loci/retrieval';

/** A turn with its score. */
export interface Candidate extends TimedHit {
  readonly speaker: string;
  /** Of the turn right before it. */
  readonly previous: string | undefined;
}

/** Candidates with their scores. */
export interface Ranking {
  /** Best first; equal scores by time, newest first, then uid. */
  readonly candidates: readonly Candidate[];
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
    .map(({ id, atMs, speaker, previous }) => {
      const gained = contributions.get(id);
      return { id, atMs, speaker, previous, score: gained ? scoreOf(gained) : 0 };
    })
    .sort(bestFirst);
  return { candidates, contributions };
}

/** The ranking with more for one of its candidates. @param gain what its sum grows by */
export function withGain({ candidates, contributions }: Ranking, id: string, gain: number): Ranking {
  const known = contributions.get(id);
  if (!known) return { candidates, contributions };
  const gained = { ...known, statement: gain };
  return {
    candidates: candidates
      .map((candidate) => (candidate.id === id ? { ...candidate, score: scoreOf(gained) } : candidate))
      .sort(bestFirst),
    contributions: new Map([...contributions, [id, gained]]),
  };
}

/** Of the hits by words, those that are looked at however little they resemble the query: its own text is among them. */
const LOOKED_AT_BY_WORDS = 10;

/**
 * The uids of those that score best by themselves.
 * @param byWords best first; the first of them are among the others, whatever their score
 */
export function strongest(
  found: ReadonlyMap<string, OwnScore>,
  count: number,
  byWords: readonly { readonly id: string }[],
): string[] {
  if (found.size <= count) return [...found.keys()];
  const best = [...found]
    .sort(([, a], [, b]) => b.score - a.score)
    .slice(0, count)
    .map(([uid]) => uid);
  return [...new Set([...best, ...byWords.slice(0, LOOKED_AT_BY_WORDS).map(({ id }) => id)])];
}

const bestFirst = (a: TimedHit, b: TimedHit): number =>
  b.score - a.score || b.atMs - a.atMs || (a.id < b.id ? -1 : 1);
