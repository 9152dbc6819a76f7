import { IsOptional, Matches, MaxLength } from 'class-validator';
import { IDENTIFIER, IDENTIFIER_MAX_LENGTH, type Tenant } from '../tenant.js';

/** What a caller may do. `admin` includes the other two; `write` does not include `read`. */
export const ACCESS_SCOPES = ['read', 'write', 'admin'] as const;

export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** The part of the deployment that a caller may touch: all of it, one organization, or one project. */
export class AccessBounds {
  @IsOptional()
  @Matches(IDENTIFIER)
  @MaxLength(IDENTIFIER_MAX_LENGTH)
  readonly orgId?: string | undefined;

  /** Only with an organization. */
  @IsOptional()
  @Matches(IDENTIFIER)
  @MaxLength(IDENTIFIER_MAX_LENGTH)
  readonly projectId?: string | undefined;
}

/** Whether bounds lie within others: a key with the outer ones may issue a key with the inner ones. */
export const areWithin = (inner: AccessBounds, outer: AccessBounds): boolean =>
  (outer.orgId === undefined || outer.orgId === inner.orgId) &&
  (outer.projectId === undefined || outer.projectId === inner.projectId);

export const isWithin = (tenant: Tenant, bounds: AccessBounds): boolean => areWithin(tenant, bounds);

/**
 * What a caller may do with what belongs to its organization as a whole: sets, set types, templates, categories, features.
 * `none`: for this caller they do not exist.
 */
export const ORGANIZATION_ACCESS = ['none', 'read', 'change'] as const;

export type OrganizationAccess = (typeof ORGANIZATION_ACCESS)[number];

/** What decides how much of its organization a caller may touch. */
export interface OrganizationCaller {
  readonly scopes: readonly AccessScope[];
  readonly bounds: AccessBounds;
  /** The only producer that it speaks for; absent = any. */
  readonly producer?: string | undefined;
}

/**
 * A caller of one project has none; changing takes the scope `admin`, and a caller who is bound to no producer: a project
 * says which producers it trusts, and no project says that for the others.
 */
export function organizationAccess({ scopes, bounds, producer }: OrganizationCaller): OrganizationAccess {
  if (bounds.projectId !== undefined) return 'none';
  return allows(scopes, 'admin') && producer === undefined ? 'change' : 'read';
}

export const allows = (granted: readonly AccessScope[], needed: AccessScope): boolean =>
  granted.includes(needed) || granted.includes('admin');
