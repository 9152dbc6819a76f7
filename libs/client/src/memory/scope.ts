import { type Filter } from '../filters/filter.js';
import { filter } from '../filters/filter-tag.js';
import { where } from '../filters/where.js';

/** Whose memory it is. A field that is left out does not narrow what is read. */
export interface MemoryScope {
  /** Organization. */
  readonly org: string;
  readonly project: string;
  /** Nothing of other users is read, and messages are noted as theirs. */
  readonly user?: string;
  /** Who answers: the producer of messages of the assistant. It narrows nothing: agents share what they know of a user. */
  readonly agent?: string;
  /** Only messages of this conversation are read. What was learned of the user outlasts it. */
  readonly session?: string;
}

/** The tenant as the wire names it. */
export interface Tenant {
  readonly org_id: string;
  readonly project_id: string;
}

export const tenantOf = ({ org, project }: Pick<MemoryScope, 'org' | 'project'>): Tenant => ({
  org_id: org,
  project_id: project,
});

const FIELDS = ['org', 'project', 'user', 'agent', 'session'] as const;

/**
 * A missing login, or a misspelt `userId`, must not read the memory of everybody.
 * @throws TypeError for a field that is there and empty, and for one that a scope does not have
 */
export function checkedScope(scope: MemoryScope): MemoryScope {
  for (const name of Object.keys(scope)) {
    if (FIELDS.some((field) => field === name)) continue;
    throw new TypeError(`A memory has no field ${name}; its fields are ${FIELDS.join(', ')}.`);
  }
  for (const name of FIELDS) {
    const isMissing = !(name in scope) && name !== 'org' && name !== 'project';
    const value: unknown = scope[name];
    if (isMissing || (typeof value === 'string' && value !== '')) continue;
    throw new TypeError(
      name === 'org' || name === 'project'
        ? `The ${name} of a memory is a text that is not empty.`
        : `The ${name} of a memory is a text that is not empty; leave it out to read without it.`,
    );
  }
  return scope;
}

/**
 * A message is of the user that its metadata name; of its producer when they name none. What a key wrote that is bound to a
 * producer is of this producer alone, whatever it names.
 */
const isOf = (user: string): Filter =>
  filter`bound_producer = ${user} OR (bound_producer IS NULL AND (metadata.user_id = ${user} OR (metadata.user_id IS NULL AND producer_id = ${user})))`;

/** The messages of the scope, as `/api/v2/context` chooses them; undefined: all. */
export function messagesOf({ user, session }: MemoryScope): Filter | undefined {
  const parts = [
    ...(user === undefined ? [] : [isOf(user)]),
    ...(session === undefined ? [] : [where({ session_id: session })]),
  ];
  return both(...parts);
}

/** Those that are there, joined; undefined: all memories. */
export function both(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const [first, ...rest] = filters.filter((given) => given !== undefined);
  return first?.and(...rest);
}

/** One of those that are there holds; undefined: there is none. */
export function oneOf(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const [first, ...rest] = filters.filter((given) => given !== undefined);
  return first?.or(...rest);
}

/** Metadata that choose the sets of the scope; undefined: all sets that the project reads. */
export function setMetadataOf({ user, session }: MemoryScope): Record<string, string> | undefined {
  if (user !== undefined) return { producer_id: user, user_id: user };
  return session === undefined ? undefined : { session_id: session };
}

/** Messages of all users feed the sets of a project or an organization. */
export const isShared = (setId: string): boolean => /^mem_(?:project_set|set_type)_/.test(setId);

/** Of the sets that all users feed: what is about the user, and not only said by others; undefined: no user. */
export const aboutUserOf = ({ user }: MemoryScope): Filter | undefined =>
  user === undefined ? undefined : where({ subject: user, user_id: user });

/** What the scope notes with a message. */
export const notedOf = ({ user, agent, session }: MemoryScope): Record<string, string> => ({
  ...(user !== undefined && { user_id: user }),
  ...(agent !== undefined && { agent_id: agent }),
  ...(session !== undefined && { session_id: session }),
});
