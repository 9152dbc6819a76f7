import { type AppError, conflict, notFound } from '../errors/app-error.js';
import { type Tenant, tenantName } from '../tenant.js';

/** A project that was never there, or that is gone for its users. */
export const projectNotFound = (tenant: Tenant): AppError =>
  notFound('project_not_found', `Project ${tenantName(tenant)} does not exist; create it first.`);

/** A project whose name is still taken, because its data are being erased. */
export const projectBeingDeleted = (tenant: Tenant): AppError =>
  conflict(
    'project_being_deleted',
    `Project ${tenantName(tenant)} is being deleted; try again when that is done, or use another name.`,
    { retryAfterSeconds: 2 },
  );
