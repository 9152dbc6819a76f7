import { useQuery } from '@tanstack/react-query';
import { answered, api } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { useRights, useSession } from '../session/session.js';
import { type Feature } from './features.js';
import { isOfOrganization, isOwnFact, isTrusted } from './whose-fact.js';

/** What is to be changed: a feature, or what it was or is to be. */
export interface Changed {
  /** The set that has it; undefined of what is gone. */
  readonly set_id?: string | undefined;
  readonly subject?: string | undefined;
  /** Whom its metadata names. */
  readonly user?: unknown;
}

/** Whose messages a project trusts. */
const trustedQuery = (project: Project) => ({
  queryKey: keyOf(project, 'trusted'),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    answered(api.POST('/api/v2/memory/semantic/config/get', { body: named(project), signal })),
  staleTime: 60_000,
});

/**
 * Whether the caller may change what a set has. What belongs to the organization takes an administrator of it; a key that
 * is bound to a producer changes what is about that one or about no one, where the project trusts it.
 */
export function useMayChange(project: Project): (changed: Changed) => boolean {
  const { write, organization, organizationChange } = useRights();
  const { producer } = useSession();
  const settings = useQuery({ ...trustedQuery(project), enabled: write && producer !== null });
  return ({ set_id, subject, user }) => {
    if (!write) return false;
    const ofAll = set_id === undefined ? organization : isOfOrganization(set_id, project.org);
    if (ofAll && !organizationChange) return false;
    if (producer === null) return true;
    return (
      isTrusted(settings.data?.trusted_producers ?? [], producer) &&
      isOwnFact({ set_id, users: [subject, user] }, producer)
    );
  };
}

/** Whom the metadata of a feature names, by which searches find it. */
export const withUser = (feature: Feature): Changed => ({
  ...feature,
  user: feature.metadata.other?.['user_id'],
});
