import { LociError } from '@loci/client';
import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { SESSION_HEADER } from '../api/loci.js';
import { SESSION_KEY } from '../api/query-client.js';

/** Who looks at the page, and what they may do. */
export interface Session {
  /** Whether callers have to say who they are. */
  readonly authentication: boolean;
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
  readonly scopes: readonly string[];
  readonly org_id: string | null;
  readonly project_id: string | null;
  readonly producer: string | null;
  readonly expires_at: string | null;
}

const PATH = '/console/session';

/** The session of this browser. @throws LociError 401 without one */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: () => ask('GET'),
  staleTime: 60_000,
  retry: false,
  // what was shown is not shown longer than the key allows, also in a page that is not looked at
  refetchInterval: ({ state: { data, status } }) => (status === 'success' ? untilEndMs(data) : false),
  refetchIntervalInBackground: true,
});

/** Of what no header takes there is no key. */
const SENDABLE = /^[\x20-\x7e]*$/;

/** Exchanges a key for a session; the page forgets the key. @throws LociError */
export async function openSession(key: string): Promise<Session> {
  const refused = (cause?: unknown): LociError =>
    new LociError(
      401,
      'unauthenticated',
      'Loci does not take this key: it is mistyped, was revoked or has ended.',
      { cause },
    );
  if (!SENDABLE.test(key)) throw refused();
  return ask('POST', { authorization: `Bearer ${key}` }).catch((error: unknown) => {
    throw error instanceof LociError && error.status === 401 ? refused(error) : error;
  });
}

export async function closeSession(): Promise<void> {
  await fetch(PATH, { method: 'DELETE', headers: SESSION_HEADER });
}

async function ask(method: string, headers: Record<string, string> = {}): Promise<Session> {
  const answer = await fetch(PATH, { method, headers: { ...SESSION_HEADER, ...headers } }).catch(
    (cause: unknown) => {
      throw new LociError(0, 'connection_failed', 'There was no answer. Is Loci running?', { cause });
    },
  );
  if (answer.ok) return (await answer.json()) as Session;
  const { code = 'unknown', detail } = (await answer.json().catch(() => ({}))) as {
    code?: string;
    detail?: unknown;
  };
  const said = typeof detail === 'string' ? detail : `Status ${answer.status}`;
  throw new LociError(answer.status, code, said);
}

/** Clocks differ: a session that goes on is asked for again after this. */
const AFTER_END_MS = 5000;
/** More than a timer of a browser holds is no time at all to it. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const untilEndMs = (session: Session | undefined): number | false =>
  session?.expires_at != null &&
  Math.min(MAX_TIMER_MS, Math.max(0, Date.parse(session.expires_at) - Date.now()) + AFTER_END_MS);

export const SessionContext = createContext<Session | undefined>(undefined);

/** @throws Error outside the gate, which shows nothing else before it knows */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session here.');
  return session;
}

/** What a caller may do, so that no button is shown that would be refused. */
export interface Rights {
  readonly read: boolean;
  readonly write: boolean;
  readonly admin: boolean;
  /** Models and the configuration: a key that belongs to no organization, and speaks for no producer, which would only look. */
  readonly deployment: boolean;
  /** Statistics: a key that reads and belongs to no organization. */
  readonly everything: boolean;
  /** Quotas: a key that is bound to no project. */
  readonly organization: boolean;
  /** Changes what belongs to an organization as a whole. */
  readonly organizationChange: boolean;
  /** Which models a project uses, what it remembers, and what becomes of dead letters: not a key that speaks for one producer. */
  readonly settings: boolean;
  /** What a project learns, and whether there is one at all: not a key that speaks for one producer. */
  readonly projectAdmin: boolean;
}

/** As docs/access.md says. */
export function rightsOf({ scopes, org_id, project_id, producer }: Session): Rights {
  const admin = scopes.includes('admin');
  const write = admin || scopes.includes('write');
  return {
    read: admin || scopes.includes('read'),
    write,
    admin,
    deployment: admin && org_id === null && producer === null,
    everything: (admin || scopes.includes('read')) && org_id === null && project_id === null,
    organization: project_id === null,
    organizationChange: admin && project_id === null && producer === null,
    settings: write && producer === null,
    projectAdmin: admin && producer === null,
  };
}

export const useRights = (): Rights => rightsOf(useSession());
