import { useQuery } from '@tanstack/react-query';
import { type Project } from '../projects/project.js';
import { useRights, useSession } from '../session/session.js';
import { semanticSettingsQuery } from '../projects/project-settings.js';
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

/**
 * Whether the caller may change what a set has. What belongs to the organization takes an administrator of it; a key that
 * is bound to a producer changes what is about that one or about no one, where the project trusts it.
 */
export function useMayChange(project: Project): (changed: Changed) => boolean {
  const { write, organization, organizationChange } = useRights();
  const { producer } = useSession();
  const settings = useQuery({ ...semanticSettingsQuery(project), enabled: write && producer !== null });
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
