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

/** Whether bounds lie within others: whoever is held by the outer ones may give the inner ones away. */
export const areWithin = (inner: AccessBounds, outer: AccessBounds): boolean =>
  (outer.orgId === undefined || outer.orgId === inner.orgId) &&
  (outer.projectId === undefined || outer.projectId === inner.projectId);

export const isWithin = (tenant: Tenant, bounds: AccessBounds): boolean => areWithin(tenant, bounds);

export const allows = (granted: readonly AccessScope[], needed: AccessScope): boolean =>
  granted.includes(needed) || granted.includes('admin');
