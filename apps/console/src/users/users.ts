import { type Filter, filter, where } from '@loci/client';
import { queryOptions } from '@tanstack/react-query';
import { hasCode } from '../api/failures.js';
import { answered, api, loci } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { type SetMetadata } from '../features/sets-of.js';
import { type Group } from './groups.js';

/** A user of whom messages or features tell. */
export interface KnownUser {
  readonly name: string;
  readonly features: number;
  readonly messages: number;
  /** When they last said something. */
  readonly seenAt: string | undefined;
}

/** The messages of a user, whichever way adds name users. */
export const ofUser = (user: string): Filter => filter`metadata.user_id = ${user} OR producer_id = ${user}`;

/** What goes, and what stays, when the messages of a user go. */
export const forgottenWith = (user: string): string =>
  `They are what ${user} wrote, and what others wrote with the user_id ${user}. What others say of ${user} elsewhere stays, with what was learned from it, and so do facts that clients wrote.`;

/** The features about a user. */
export const aboutUser = (user: string): Filter => filter`subject = ${user}`;

/** Whom the features of a project are about, each as often as there are features. */
export const subjectsQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'subjects'),
    queryFn: async ({ signal }) => {
      const subjects = new Map<string, number>();
      const memory = loci.memory(project);
      for await (const { subject = '' } of memory.list({ kinds: ['feature'], pageSize: 1000, signal })) {
        subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
      }
      return subjects;
    },
    staleTime: 30_000,
  });

/** Users by what they said and by what is known of them; those of whom there is the latest message first. */
export function knownUsers(
  groups: readonly Group[],
  subjects: ReadonlyMap<string, number> = new Map(),
): KnownUser[] {
  const users = new Map<string, KnownUser>();
  for (const { name, episodes: messages, last_at: seenAt } of groups) {
    users.set(name, { name, messages, seenAt, features: subjects.get(name) ?? 0 });
  }
  for (const [name, features] of subjects) {
    if (!users.has(name)) users.set(name, { name, features, messages: 0, seenAt: undefined });
  }
  users.delete('');
  return [...users.values()];
}

/** What is known of a user. */
export const profileQuery = (project: Project, user: string) =>
  queryOptions({
    queryKey: keyOf(project, 'profile', user),
    queryFn: ({ signal }) =>
      answered(api.POST('/api/v2/profile', { body: { ...named(project), user, max_tokens: 2000 }, signal })),
  });

/** The metadata that choose the sets of a user. */
export const setsOfUser = (user: string): SetMetadata => ({ producer_id: user, user_id: user });

/** Messages that match, and what is known of a user, as JSON Lines. */
export async function exported(
  project: Project,
  { episodes, user }: { readonly episodes: Filter; readonly user?: string },
): Promise<Blob> {
  const lines: string[] = [];
  const memory = loci.memory(project);
  for await (const one of memory.list({ filter: episodes, kinds: ['episode'] }))
    lines.push(JSON.stringify(one));
  if (user !== undefined) {
    const features = new Map<string, object>();
    for await (const one of memory.list({ filter: aboutUser(user), kinds: ['feature'] }))
      features.set(one.id, one);
    // what is in sets of their own is not in those of the project
    for await (const one of loci.memory({ ...project, user }).list({ kinds: ['feature'] }))
      features.set(one.id, one);
    lines.push(...(await withCitations(project, features)));
  }
  return new Blob([lines.join('\n')], { type: 'application/x-ndjson' });
}

const GETS_AT_A_TIME = 4;

/** A list of features does not load what they cite: each is asked for. One that is gone meanwhile is left out. */
async function withCitations(project: Project, features: ReadonlyMap<string, object>): Promise<string[]> {
  const lines: string[] = [];
  const waiting = features.entries();
  const work = async (): Promise<void> => {
    for (const [id, feature] of waiting) {
      const citations = await citationsOf(project, id);
      if (citations) lines.push(JSON.stringify({ ...feature, citations }));
    }
  };
  await Promise.all(Array.from({ length: GETS_AT_A_TIME }, work));
  return lines;
}

/** @returns undefined when there is no such feature any more */
async function citationsOf(project: Project, id: string): Promise<readonly string[] | undefined> {
  const body = { ...named(project), feature_id: id, load_citations: true };
  try {
    const { metadata } = await answered(api.POST('/api/v2/memories/semantic/feature/get', { body }));
    return metadata.citations ?? [];
  } catch (error) {
    if (hasCode(error, 'memory_not_found')) return undefined;
    throw error;
  }
}

/** The messages of a session. */
export const inSession = (session: string): Filter => where({ session_id: session });

/** What a user said outside any session. */
export const outsideSessions = (user: string): Filter =>
  ofUser(user).and(filter`metadata.session_id IS NULL`);
