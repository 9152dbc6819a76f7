import { type Tenant } from '@loci/contracts';
import { byDefault } from '@loci/platform/schema';
import { identifier } from './schema/identifier.js';
import { request } from './schema/request.js';

/** The ids of a request that has to name its project. */
export class NamedProjectBody extends request('NamedProjectSpec', {
  org_id: identifier,
  project_id: identifier,
}) {}

/** The ids of a request that may leave its project to the default. */
export class TenantBody extends request('TenantSpec', {
  org_id: byDefault(identifier, 'universal'),
  project_id: byDefault(identifier, 'universal'),
}) {}

export const tenantOf = ({ org_id, project_id }: TenantBody): Tenant => ({
  orgId: org_id,
  projectId: project_id,
});
