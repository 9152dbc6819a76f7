import {
  type AccessBounds,
  type AccessScope,
  allows,
  areWithin,
  forbidden,
  isWithin,
  projectNotFound,
  type Tenant,
} from '@loci/contracts';
import { type Caller } from './caller.js';

/** @throws AppError `forbidden` when the caller may not do such things at all */
export function requireScope({ scopes }: Caller, needed: AccessScope): void {
  if (allows(scopes, needed)) return;
  const given = scopes.length > 0 ? scopes.join(', ') : 'none';
  throw forbidden(
    'forbidden',
    `This needs the scope ${needed}; yours: ${given}. Use another key, or ask an administrator for one.`,
  );
}

/**
 * A project outside the caller's bounds is as one that does not exist, whatever is asked of it and whether or not it is
 * there: the answer is given without looking, so that nothing can be inferred from it.
 * @throws AppError `project_not_found`
 */
export function requireTenant({ bounds }: Caller, tenant: Tenant): void {
  if (!isWithin(tenant, bounds)) throw projectNotFound(tenant);
}

/**
 * A caller may only administer what lies within its own bounds.
 * @throws AppError `project_not_found` as `requireTenant` does
 */
export function requireBounds(caller: Caller, bounds: AccessBounds): void {
  if (areWithin(bounds, caller.bounds)) return;
  throw projectNotFound({ orgId: bounds.orgId ?? '*', projectId: bounds.projectId ?? '*' });
}
