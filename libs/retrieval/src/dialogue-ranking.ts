import { type TimeSpan, isWithin } from './time-spans.js';

/** A turn of a dialogue: what ranking needs to know of it, and no more. */
export interface Turn {
  readonly id: string;
  /** Unix time of its being said. */
  readonly atMs: number;
  readonly speaker: string;
  /** Id of the turn right before it, if that was no long time ago. */
  readonly previous?: string | undefined;
  /** Id of the turn right after it, if that was no long time later. */
  readonly next?: string | undefined;
}

/** What each thing adds to a turn's own score, at most. */
export interface DialogueWeights {
  /** Times the better score of the two adjacent turns: an answer is found by its question. */
  readonly neighbours: number;
  /** Times the better score of the two turns that are two away. */
  readonly secondNeighbours: number;
  /** Times the best score of its session: small, or few sessions fill the first hits. */
  readonly session: number;
  /** For turns of the one participant whom the query names. */
  readonly participant: number;
  /** For turns of a time that the query names. */
  readonly time: number;
}

/** What the query says besides its words. */
export interface Cues {
  readonly query: string;
  /** Empty when it names no time. */
  readonly spans: readonly TimeSpan[];
}

/** Turns further apart than this, with nothing found between them, do not belong to one session. */
export const SESSION_GAP_MS = 3_600_000;

/**
 * Scores turns by their own score, their surroundings and the cues of the query, between 0 and 1.
 * @param scores each turn's own score, between 0 and 1; a turn without one has 0
 */
export function rankDialogue(
  turns: readonly Turn[],
  scores: ReadonlyMap<string, number>,
  cues: Cues,
  weights: DialogueWeights,
): Map<string, number> {
  const own = (id: string | undefined): number => (id === undefined ? 0 : (scores.get(id) ?? 0));
  const known = new Map(turns.map((turn) => [turn.id, turn]));
  const turnAt = (id: string | undefined): Turn | undefined => (id === undefined ? undefined : known.get(id));
  const named = participantNamed(
    cues.query,
    turns.map(({ speaker }) => speaker),
  );
  const { neighbours, secondNeighbours, session, participant, time } = weights;
  const most = 1 + neighbours + secondNeighbours + session + participant + time;
  return new Map(
    sessionsOf(turns).flatMap((members) => {
      const best = Math.max(...members.map(({ id }) => own(id)));
      return members.map((turn): [string, number] => {
        const { previous, next } = turn;
        const beside = Math.max(own(previous), own(next));
        const twoAway = Math.max(own(turnAt(previous)?.previous), own(turnAt(next)?.next));
        const surroundings = neighbours * beside + secondNeighbours * twoAway + session * best;
        const cued =
          (turn.speaker === named ? participant : 0) + (isWithin(turn.atMs, cues.spans) ? time : 0);
        return [turn.id, (own(turn.id) + surroundings + cued) / most];
      });
    }),
  );
}

/** Runs of turns without a long gap in time. */
export function sessionsOf(turns: readonly Turn[]): Turn[][] {
  const sessions: Turn[][] = [];
  let lastMs = -Infinity;
  for (const turn of [...turns].sort((a, b) => a.atMs - b.atMs)) {
    const session = sessions.at(-1);
    if (session && turn.atMs - lastMs <= SESSION_GAP_MS) session.push(turn);
    else sessions.push([turn]);
    lastMs = turn.atMs;
  }
  return sessions;
}

/** The speaker whose whole name is among the words of the query; undefined unless there is exactly one. */
export function participantNamed(query: string, speakers: readonly string[]): string | undefined {
  const asked = new Set(wordsOf(query));
  const named = [...new Set(speakers)].filter((speaker) => {
    const name = wordsOf(speaker);
    return name.length > 0 && name.every((word) => asked.has(word));
  });
  return named.length === 1 ? named[0] : undefined;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
