/** One turn of a dialogue, to be stored as one episode. */
export interface Turn {
  /** As the questions name it; unique within its conversation. */
  readonly id: string;
  readonly speaker: string;
  /** Default: a user. */
  readonly role?: 'user' | 'assistant';
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly saidAt: string;
  /** Where a project has several conversations: which one. */
  readonly session?: string;
}

export interface Question {
  readonly text: string;
  readonly category: string;
  /** Ids of the turns that contain the answer: at least one. */
  readonly gold: readonly string[];
  /** When it is asked, ISO 8601: what "last week" is relative to. */
  readonly askedAt: string;
  /** Where a project has several conversations: the one that is asked about. */
  readonly session?: string;
}

/** What becomes one project: the sessions of a dialogue, one after the other, without a word on where one ends. */
export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** Turns of one session are taken to follow each other at this distance: the data date whole sessions only. */
export const TURN_DISTANCE_MS = 20_000;

/** @returns the value as an object with text keys */
export function asRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new Error(`The data file is not what was expected: ${what} should be an object.`);
}

export function asList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`The data file is not what was expected: ${what} should be a list.`);
}

export function asText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`The data file is not what was expected: ${what} should be a text.`);
}

export const countTurns = (conversations: readonly Conversation[]): number =>
  conversations.reduce((sum, { turns }) => sum + turns.length, 0);
