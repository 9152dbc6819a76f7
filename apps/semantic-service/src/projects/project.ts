import { forbidden, type OrganizationAccess, type Tenant } from '@loci/contracts';

/** A project as this service knows it: only an open one takes writes and shows data. */
export interface OpenProject {
  readonly uid: string;
  readonly tenant: Tenant;
  /** Name of the one that it chose; empty: that of the deployment; absent: not heard of yet. */
  readonly reranker?: string | undefined;
}

/** The organization and the project that something belongs to; to the organization as a whole when there is no project. */
export interface Owner {
  readonly orgId: string;
  readonly projectUid: string | undefined;
}

/**
 * What a request may see and touch: what belongs to its project, and, as far as its caller may, what belongs to its
 * organization as a whole. Without a project there is only the latter.
 */
export interface Scope extends Owner {
  readonly organization: OrganizationAccess;
}

export const scopeOf = (
  { uid, tenant }: OpenProject,
  organization: OrganizationAccess,
): Scope & { readonly projectUid: string } => ({
  orgId: tenant.orgId,
  projectUid: uid,
  organization,
});

/** All that there is of an owner, and of its organization: for work that no caller asked for. */
export const fullScope = ({ orgId, projectUid }: Owner): Scope => ({
  ...{ orgId, projectUid, organization: 'change' },
});

/**
 * Refuses to change what belongs to the organization as a whole for a caller who may only read it. For one who may not
 * even do that it does not exist: it is not found in the first place.
 * @throws AppError `forbidden`
 */
export function requireChange({ organization }: Scope, thing: Pick<Owner, 'projectUid'>): void {
  if (thing.projectUid === undefined && organization !== 'change') throw changeForbidden();
}

export const changeForbidden = (): Error =>
  forbidden(
    'forbidden',
    'This belongs to the organization as a whole: changing it takes a key of the organization with the scope admin.',
  );
