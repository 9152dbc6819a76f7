import { type Filter } from '@loci/contracts';
import { MAX, NIL, v5 as uuidv5 } from 'uuid';

/** What tells the conversation of an episode. */
export interface Spoken {
  readonly producerId: string;
  readonly producedForId: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** That of an episode that an older version stored, until the worker has found out. They count as one conversation. */
export const UNKNOWN_CONVERSATION = MAX;

/** That of what says nothing about its conversation: the project is one. */
const OF_PROJECT = NIL;

const NAMESPACE = '5d3ad1cf-5f0f-4c0c-9ad0-6f3a6a1c2b57';

const USER_ID = 'user_id';

/**
 * Tells the conversations of a project apart: by a session id in the metadata, else by who talks with whom, in whatever
 * direction, else by the user whom the metadata name.
 */
export class Conversations {
  private readonly sessionKeys: readonly string[];

  /** @param sessionKeys keys of metadata that name a session, separated by commas; the first that an episode has counts */
  constructor(sessionKeys: string) {
    this.sessionKeys = sessionKeys
      .split(',')
      .map((key) => key.trim())
      .filter((key) => key !== '');
  }

  /** The conversation of an episode, to be stored with it. */
  of({ producerId, producedForId, metadata }: Spoken): string {
    const session = this.sessionKeys.find((key) => metadata[key]);
    if (session !== undefined) return named('session', session, metadata[session] ?? '');
    if (producedForId !== '') return named('pair', ...[producerId, producedForId].sort());
    const user = metadata[USER_ID];
    return user ? named('user', user) : OF_PROJECT;
  }

  /** The one conversation that a filter lets through, if it says so by a session id. */
  askedFor(filter: Filter | undefined): string | undefined {
    if (filter === undefined) return undefined;
    const sessions = sessionsIn(filter);
    const key = this.sessionKeys.find((one) => sessions.has(one));
    return key === undefined ? undefined : named('session', key, sessions.get(key) ?? '');
  }
}

const named = (...parts: readonly string[]): string => uuidv5(JSON.stringify(parts), NAMESPACE);

/** The values that metadata must have for the filter to match. */
function sessionsIn(filter: Filter): Map<string, string> {
  if (filter.op === 'and') return new Map(filter.args.flatMap((arg) => [...sessionsIn(arg)]));
  if (filter.op !== 'compare' || filter.comparison !== '=' || filter.field.kind !== 'metadata')
    return new Map();
  return new Map([[filter.field.key, String(filter.value.value)]]);
}
