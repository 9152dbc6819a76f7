import {
  forbidden,
  isTrustedProducer,
  notFound,
  type OrganizationAccess,
  type Tenant,
} from '@loci/contracts';
import { boundProducer, requireUnbound } from '@loci/platform';

/** A project as this service knows it: only an open one takes writes and shows data. */
export interface OpenProject {
  readonly uid: string;
  readonly tenant: Tenant;
  /** Name of the one that it chose; empty: that of the deployment; absent: not heard of yet. */
  readonly reranker?: string | undefined;
  /** Whose messages it trusts. */
  readonly trustedProducers?: readonly string[] | undefined;
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
  /** Of the project. Absent = everybody: where no request of a client is served. */
  readonly trustedProducers?: readonly string[] | undefined;
}

export const scopeOf = (
  { uid, tenant, trustedProducers }: OpenProject,
  organization: OrganizationAccess,
): Scope & { readonly projectUid: string } => ({
  orgId: tenant.orgId,
  projectUid: uid,
  organization,
  trustedProducers,
});

/** All that there is of an owner, and of its organization: for work that no caller asked for. */
export const fullScope = ({ orgId, projectUid }: Owner): Scope => ({
  orgId,
  projectUid,
  organization: 'change',
});

/**
 * Refuses to change what belongs to the organization as a whole for a caller who may only read it. For one who may not
 * even do that it does not exist: it is not found at all. Refuses untrusted authors, too.
 * @throws AppError `forbidden`, `producer_not_allowed`
 */
export function requireChange(scope: Scope, thing: Pick<Owner, 'projectUid'>): void {
  const { organization, trustedProducers } = scope;
  requireTrustedAuthor(trustedProducers);
  if (thing.projectUid === undefined && organization !== 'change') throw changeForbidden();
}

/**
 * Refuses a change by hand to a key that is bound to a producer whom the project does not trust: what its messages cannot
 * change, it cannot either.
 * @throws AppError `producer_not_allowed`
 */
export function requireTrustedAuthor(trusted: readonly string[] = ['*']): void {
  const producer = boundProducer();
  if (producer === undefined || isTrustedProducer(trusted, producer)) return;
  throw forbidden(
    'producer_not_allowed',
    `This key speaks for the producer ${JSON.stringify(producer)}, whom the project does not trust: it adds messages, and changes no semantic memory by hand.`,
  );
}

/**
 * Refuses to change what is learned, for all producers, to a key that is bound to one.
 * @throws AppError `producer_not_allowed`
 */
export const requireUnboundAuthor = (): void => requireUnbound('decide what is learned');

/**
 * Where a request asks for something of the organization by `is_org_level`, for a caller to whom such things do not exist.
 * @param things what they are called
 */
export const noneOfOrganization = (code: 'set_not_found' | 'set_type_not_found', things: string): Error =>
  notFound(
    code,
    `For a key of one project there are no ${things} of the organization; send is_org_level as false, or use a key that is bound to no project.`,
  );

export const changeForbidden = (): Error =>
  forbidden(
    'forbidden',
    'This belongs to the organization as a whole: changing it takes a key of the organization with the scope admin that is bound to no producer.',
  );
