import { type Feature, fieldIs, type Filter, type FilterField } from '@loci/contracts';

/** Whose memory a context is made of; without either, of the whole project. */
export interface ContextScope {
  readonly user?: string | undefined;
  readonly session?: string | undefined;
}

const USER: FilterField = { kind: 'metadata', key: 'user_id' };
const SESSION: FilterField = { kind: 'metadata', key: 'session_id' };
const PRODUCER: FilterField = { kind: 'system', name: 'producer_id' };
const BOUND: FilterField = { kind: 'system', name: 'bound_producer' };

/** What the sets of a project or an organization as a whole begin with: messages of everybody feed them. */
const SHARED_SETS = ['mem_project_set_', 'mem_set_type_'];

const isAbsent = (field: FilterField): Filter => ({ op: 'not', arg: { op: 'present', field } });

/**
 * A message is of the user that its metadata name; of its producer when they name none. What a key wrote that is bound to a
 * producer is of this producer alone, whatever it names: else a stranger could fill the memory of a user.
 */
const isOf = (user: string): Filter => ({
  op: 'or',
  args: [
    fieldIs(BOUND, user),
    {
      op: 'and',
      args: [
        isAbsent(BOUND),
        {
          op: 'or',
          args: [fieldIs(USER, user), { op: 'and', args: [isAbsent(USER), fieldIs(PRODUCER, user)] }],
        },
      ],
    },
  ],
});

/** The episodes of the scope; undefined: all. */
export function episodesOf({ user, session }: ContextScope): Filter | undefined {
  const args = [
    ...(user === undefined ? [] : [isOf(user)]),
    ...(session === undefined ? [] : [fieldIs(SESSION, session)]),
  ];
  return args.length > 0 ? { op: 'and', args } : undefined;
}

/** The metadata that choose the sets of the scope: of the user, in whatever session, or else of the session. */
export function setMetadataOf({ user, session }: ContextScope): Record<string, string> {
  if (user !== undefined) return { producer_id: user, user_id: user };
  return session === undefined ? {} : { session_id: session };
}

/** Those of the features that are in sets of the session: metadata choose the shared sets too. Those of a user are found as such. */
export function featuresOf(
  { user, session }: ContextScope,
  features: readonly Feature[],
): readonly Feature[] {
  if (user !== undefined || session === undefined) return features;
  return features.filter(({ setId }) => !SHARED_SETS.some((beginning) => setId.startsWith(beginning)));
}
