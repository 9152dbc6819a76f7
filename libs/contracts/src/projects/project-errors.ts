import { type AppError, conflict, notFound } from '../errors/app-error.js';
import { type Tenant, tenantName } from '../tenant.js';

/** A project that was never there, or that is gone for its users. */
export const projectNotFound = (tenant: Tenant): AppError =>
  notFound(
    'project_not_found',
    `Project ${tenantName(tenant)} does not exist; see the names in org_id and project_id, or create it with POST /api/v2/projects.`,
  );

/** A project whose name is still taken, because its data are being erased. */
export const projectBeingDeleted = (tenant: Tenant): AppError =>
  conflict(
    'project_being_deleted',
    `Project ${tenantName(tenant)} is being deleted; try again when that is done, or use another name.`,
    { retryAfterSeconds: 2 },
  );

/**
 * A name that a reader would take for another one that is there already. Says nothing of the other: who is refused need
 * not be allowed to see it.
 */
export const nameConfusable = (of: 'organization' | 'project', name: string): AppError =>
  conflict(
    'name_confusable',
    of === 'project'
      ? `The project name ${name} looks like that of another project of the organization; use that one, or another name.`
      : `The organization name ${name} looks like that of another organization; use another name.`,
  );
