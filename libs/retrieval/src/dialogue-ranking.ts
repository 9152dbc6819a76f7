import { nameWords, participantNamed } from './participants.js';
import { asksForPast, asksForState, speaksOfAsker, wantsAnswer } from './question-cues.js';
import { type TimeSpan, isWithin } from './time-spans.js';

/** A turn of a dialogue: what ranking needs to know of it, and no more. */
export interface Turn {
  readonly id: string;
  /** Unix time of its being said. */
  readonly atMs: number;
  readonly speaker: string;
  /** `user`, `assistant`, … as the producer called it. */
  readonly role: string;
  /** Whether its text says that something is not as it was. */
  readonly announcesChange?: boolean | undefined;
  /** Whether it ends with a question mark. */
  readonly isQuestion?: boolean | undefined;
  /** Of its text, as `lengthOf` says; one of an unknown length counts as short. */
  readonly length?: number | undefined;
  /** Whether its text is the text of the query. */
  readonly repeatsQuery?: boolean | undefined;
  /** Neighbours, sessions and the participants whom a query names are of one conversation. */
  readonly conversation: string;
  /** Id of the turn right before it in its conversation, if that was no long time ago. */
  readonly previous?: string | undefined;
  /** Id of the turn right after it in its conversation, if that was no long time later. */
  readonly next?: string | undefined;
}

/** What each thing adds to a turn's own score, at most. */
export interface DialogueWeights {
  /** Times the better score of the two adjacent turns: an answer is found by its question. Less for a long turn. */
  readonly neighbours: number;
  /** Times the better score of the two turns that are two away. */
  readonly secondNeighbours: number;
  /** Times the best score of its session: small, or few sessions fill the first hits. */
  readonly session: number;
  /** For turns of the one participant whom the query names. */
  readonly participant: number;
  /** For turns of a time that the query names. */
  readonly time: number;
  /** For turns of a user, when the query speaks in the first person: it is about the person who asks. */
  readonly firstPerson: number;
  /** For a turn that was just said; half of it after each half-life. */
  readonly recency: number;
  /**
   * Between a turn that was just said and a very old one, when the query asks what holds now for the person who asks, or
   * held before: half of it is gained, half of it is lost.
   */
  readonly state: number;
  /** For a turn that announces a change, when the query asks what holds now for the person who asks; lost when for the past. */
  readonly change: number;
  /** What a turn loses that is a question itself, when the query wants an answer. */
  readonly question: number;
  /** How far the newer of two statements about the same thing is put before the older, or the other way round; 0: nowhere. */
  readonly statement: number;
  /** For a turn whose text is the text of the query, when the query does not want an answer. */
  readonly exact: number;
  /** 0: recency does not count. */
  readonly halfLifeMs: number;
}

/** What is known of a turn by itself, between 0 and 1. */
export interface TurnScore {
  readonly score: number;
  /** What it tells of the turns beside it. */
  readonly asNeighbour: number;
}

/** What the query says besides its words. */
export interface Cues {
  readonly query: string;
  /** Empty when it names no time. */
  readonly spans: readonly TimeSpan[];
  /** When it is asked, Unix time. */
  readonly askedMs: number;
}

/** What is longer counts by its bytes, which a database knows without reading it. */
export const MAX_COUNTED_BYTES = 1_500;

/** How long a turn is: its characters, whose number does not depend on the script as that of its bytes does. */
export function lengthOf(text: string): number {
  const bytes = Buffer.byteLength(text);
  return bytes > MAX_COUNTED_BYTES ? bytes : [...text].length;
}

/**
 * A turn of so many characters at most is understood by what stands beside it. A longer one says itself what it is about: what it
 * gains by the two beside it falls as its length grows.
 */
const SHORT_LENGTH = 300;

/** A longer turn that ends with a question mark has said something before. */
const QUESTION_LENGTH = 200;

/** Turns further apart than this, with nothing found between them, do not belong to one session. */
export const SESSION_GAP_MS = 3_600_000;

const DAY_MS = 86_400_000;

/** What a turn's score is the sum of, before that is brought to a scale of 0 to 1. */
export interface Contributions {
  readonly own: number;
  readonly neighbours: number;
  readonly secondNeighbours: number;
  readonly session: number;
  readonly participant: number;
  readonly time: number;
  readonly firstPerson: number;
  readonly recency: number;
  readonly state: number;
  readonly change: number;
  readonly question: number;
  /** Given afterwards, to one turn at most: see `restatement`. */
  readonly statement: number;
  readonly exact: number;
}

/**
 * The sum at which a first hit is as likely the answer as not, fitted on LoCoMo, split dev: the first hits of questions asked
 * in their conversation and in another one. The width of the scale is twice the fitted one, so that weak hits still differ.
 */
const SCALE = { midpoint: 0.8, width: 0.2 } as const;

/** A turn's score, between 0 and 1: a logistic function of the sum, so that it does not depend on what else was found. */
export const scoreOf = (contributions: Contributions): number => scoreOfSum(sumOf(contributions));

export const scoreOfSum = (sum: number): number => 1 / (1 + Math.exp((SCALE.midpoint - sum) / SCALE.width));

export const sumOf = (gained: Contributions): number =>
  gained.own +
  gained.neighbours +
  gained.secondNeighbours +
  gained.session +
  gained.participant +
  gained.time +
  gained.firstPerson +
  gained.recency +
  gained.state +
  gained.change +
  gained.question +
  gained.statement +
  gained.exact;

/**
 * What each turn gains by itself, by its surroundings and by the cues of the query.
 * @param scores what is known of each turn by itself; of one that is missing, nothing
 */
export function rankDialogue(
  turns: readonly Turn[],
  scores: ReadonlyMap<string, TurnScore>,
  cues: Cues,
  weights: DialogueWeights,
): Map<string, Contributions> {
  const own = (id: string): number => scores.get(id)?.score ?? 0;
  const neighbour = (id: string | undefined): number =>
    id === undefined ? 0 : (scores.get(id)?.asNeighbour ?? 0);
  const known = new Map(turns.map((turn) => [turn.id, turn]));
  const isOfAsker = speaksOfAsker(cues.query);
  const isAnswerWanted = wantsAnswer(cues.query);
  const recencyOf = recencyIn(cues, weights);
  const state = stateAskedFor(cues.query);
  const turnAt = (id: string | undefined): Turn | undefined => (id === undefined ? undefined : known.get(id));
  const namedIn = participantsNamed(cues.query, turns);
  return new Map(
    sessionsOf(turns).flatMap((members) => {
      const best = Math.max(...members.map(({ id }) => own(id)));
      return members.map((turn): [string, Contributions] => {
        const { previous, next } = turn;
        const beside = Math.max(neighbour(previous), neighbour(next));
        const twoAway = Math.max(neighbour(turnAt(previous)?.previous), neighbour(turnAt(next)?.next));
        return [
          turn.id,
          {
            own: own(turn.id),
            neighbours: weights.neighbours * beside * needOfOthers(turn),
            secondNeighbours: weights.secondNeighbours * twoAway,
            session: weights.session * best,
            participant: turn.speaker === namedIn.get(turn.conversation) ? weights.participant : 0,
            time: isWithin(turn.atMs, cues.spans) ? weights.time : 0,
            firstPerson: isOfAsker && turn.role === 'user' ? weights.firstPerson : 0,
            recency: weights.recency * recencyOf(turn.atMs),
            state: state && weights.halfLifeMs > 0 ? weights.state * (recencyOf(turn.atMs) - 0.5) : 0,
            change: turn.announcesChange ? CHANGE_SIGN[state ?? 'none'] * weights.change : 0,
            question: isAnswerWanted && isMereQuestion(turn) ? -weights.question : 0,
            statement: 0,
            exact: !isAnswerWanted && turn.repeatsQuery ? weights.exact : 0,
          },
        ];
      });
    }),
  );
}

/** How much a turn is understood by those beside it: 1 for a short one. */
const needOfOthers = ({ length = 0 }: Turn): number => SHORT_LENGTH / Math.max(SHORT_LENGTH, length);

const isMereQuestion = ({ isQuestion = false, length = 0 }: Turn): boolean =>
  isQuestion && length <= QUESTION_LENGTH;

const CHANGE_SIGN = { now: 1, before: -1, none: 0 } as const;

/** When the query asks how it is, or was, with the person who asks. */
export function stateAskedFor(query: string): 'now' | 'before' | undefined {
  if (asksForState(query)) return 'now';
  return speaksOfAsker(query) && asksForPast(query) ? 'before' : undefined;
}

/**
 * How recent a moment is, 1 to 0 by half-lives; the other way round where the query asks for what was before. Of the age only
 * whole days count, so that a search that is repeated gives the same scores.
 */
function recencyIn({ query, askedMs }: Cues, { halfLifeMs }: DialogueWeights): (atMs: number) => number {
  if (halfLifeMs === 0) return () => 0;
  const isPast = asksForPast(query);
  return (atMs) => {
    const days = Math.floor(Math.max(0, askedMs - atMs) / DAY_MS);
    const recent = 0.5 ** ((days * DAY_MS) / halfLifeMs);
    return isPast ? 1 - recent : recent;
  };
}

/** Of each conversation the one participant whom the query names, if there is just one. */
function participantsNamed(query: string, turns: readonly Turn[]): Map<string, string | undefined> {
  const asked = nameWords(query);
  return new Map(
    conversationsOf(turns).map(([conversation, members]) => [
      conversation,
      participantNamed(
        asked,
        members.map(({ speaker }) => speaker),
      ),
    ]),
  );
}

/** Runs of turns of one conversation without a long gap in time. */
export const sessionsOf = (turns: readonly Turn[]): Turn[][] =>
  conversationsOf(turns).flatMap(([, members]) => runsOf(members));

function conversationsOf(turns: readonly Turn[]): [string, Turn[]][] {
  const conversations = new Map<string, Turn[]>();
  for (const turn of turns) {
    const members = conversations.get(turn.conversation);
    if (members) members.push(turn);
    else conversations.set(turn.conversation, [turn]);
  }
  return [...conversations];
}

function runsOf(turns: readonly Turn[]): Turn[][] {
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
