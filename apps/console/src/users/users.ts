import { type Filter, filter, where, withHeaders } from '@loci/client';
import { queryOptions } from '@tanstack/react-query';
import { answered, api, loci } from '../api/loci.js';
import { type Episode } from '../episodes/episodes.js';
import { keyOf, named, type Project } from '../projects/project.js';

/** Messages and features of which users are found. */
const SAMPLE = 1000;

/** A user of whom messages or features tell. */
export interface KnownUser {
  readonly name: string;
  readonly features: number;
  readonly messages: number;
  /** When they last said something, in the sample. */
  readonly seenAt: string | undefined;
}

/** The messages of a user, whichever way adds name users. */
export const ofUser = (user: string): Filter => filter`metadata.user_id = ${user} OR producer_id = ${user}`;

/** The features about a user. */
export const aboutUser = (user: string): Filter => filter`subject = ${user}`;

/** Whom the newest messages and the features of a project name. */
export const usersQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'users'),
    queryFn: async ({ signal }) => {
      const [episodes, features] = await Promise.all([
        newest(project, '', signal),
        subjectsOf(project, signal),
      ]);
      return knownUsers(episodes, features);
    },
    staleTime: 30_000,
  });

export function knownUsers(
  episodes: readonly Pick<Episode, 'producer_id' | 'producer_role' | 'created_at' | 'metadata'>[],
  subjects: readonly string[],
): KnownUser[] {
  const users = new Map<string, KnownUser>();
  const at = (name: string): KnownUser =>
    users.get(name) ?? { name, features: 0, messages: 0, seenAt: undefined };
  for (const { producer_id, producer_role, created_at, metadata } of episodes) {
    const named = metadata?.['user_id'];
    if (named === undefined && /assistant|system|tool/.test(producer_role)) continue;
    const user = at(named === undefined ? producer_id : named);
    const isLater = user.seenAt === undefined || created_at > user.seenAt;
    users.set(user.name, {
      ...user,
      messages: user.messages + 1,
      seenAt: isLater ? created_at : user.seenAt,
    });
  }
  for (const name of subjects) users.set(name, { ...at(name), features: at(name).features + 1 });
  users.delete('');
  return [...users.values()].sort((one, other) => (other.seenAt ?? '').localeCompare(one.seenAt ?? ''));
}

/** What is known of a user. */
export const profileQuery = (project: Project, user: string) =>
  queryOptions({
    queryKey: keyOf(project, 'profile', user),
    queryFn: ({ signal }) =>
      answered(api.POST('/api/v2/profile', { body: { ...named(project), user, max_tokens: 2000 }, signal })),
  });

/** A conversation of a user. */
export interface UserSession {
  readonly id: string;
  readonly messages: number;
  readonly from: string;
  readonly to: string;
}

/** The newest messages of a user by session. */
export const sessionsQuery = (project: Project, user: string) =>
  queryOptions({
    queryKey: keyOf(project, 'sessions', user),
    queryFn: async ({ signal }) => {
      const episodes = await newest(project, ofUser(user).text, signal);
      const sessions = new Map<string, UserSession>();
      for (const { created_at: at, metadata = {} } of episodes) {
        const id = metadata['session_id'] ?? '';
        const known = sessions.get(id) ?? { id, messages: 0, from: at, to: at };
        sessions.set(id, {
          id,
          messages: known.messages + 1,
          from: at < known.from ? at : known.from,
          to: at > known.to ? at : known.to,
        });
      }
      return [...sessions.values()].sort((one, other) => other.to.localeCompare(one.to));
    },
  });

/** Everything of a user as JSON Lines: their messages and what is known of them. */
export async function exportUser(project: Project, user: string): Promise<Blob> {
  const lines: string[] = [];
  const memory = loci.memory(project);
  for await (const one of memory.list({ filter: ofUser(user), kinds: ['episode'] }))
    lines.push(JSON.stringify(one));
  for await (const one of memory.list({ filter: aboutUser(user), kinds: ['feature'] }))
    lines.push(JSON.stringify(one));
  return new Blob([lines.join('\n')], { type: 'application/x-ndjson' });
}

/** Of messages that match the newest ones: the last page of those that are listed oldest first. */
async function newest(project: Project, matching: string, signal: AbortSignal): Promise<readonly Episode[]> {
  const body = { ...named(project), type: 'episodic' as const, ...(matching !== '' && { filter: matching }) };
  const { headers } = await withHeaders(
    api.POST('/api/v2/memories/list', { body: { ...body, page_size: 0 }, signal }),
  );
  const total = Number(headers.get('x-total-count') ?? 0);
  const page = { page_size: SAMPLE, page_num: Math.max(0, Math.ceil(total / SAMPLE) - 1) };
  const { content } = await answered(
    api.POST('/api/v2/memories/list', { body: { ...body, ...page }, signal }),
  );
  return content.episodic_memory ?? [];
}

async function subjectsOf(project: Project, signal: AbortSignal): Promise<readonly string[]> {
  const body = { ...named(project), type: 'semantic' as const, page_size: SAMPLE };
  const { content } = await answered(api.POST('/api/v2/memories/list', { body, signal }));
  return (content.semantic_memory ?? []).map(({ subject = '' }) => subject);
}

/** The filter of one session of a user, or of what they said outside any. */
export const filterOfSession = (user: string, session: string): string =>
  session === ''
    ? ofUser(user).and(filter`metadata.session_id IS NULL`).text
    : where({ session_id: session }).text;
