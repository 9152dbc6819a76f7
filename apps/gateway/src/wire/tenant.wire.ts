import { type Tenant } from '@loci/contracts';
import { byDefault, described } from '@loci/platform/schema';
import { identifier } from './schema/identifier.js';
import { request } from './schema/request.js';

/** The ids of a request that has to name its project. */
export class NamedProjectBody extends request('NamedProjectSpec', {
  org_id: described(identifier, 'Id of the organization.', 'acme'),
  project_id: described(identifier, 'Id of the project in it.', 'travel-agent'),
}) {}

/** The ids of a request that may leave its project to the default. */
export class TenantBody extends request('TenantSpec', {
  org_id: described(byDefault(identifier, 'universal'), 'Id of the organization.', 'acme'),
  project_id: described(byDefault(identifier, 'universal'), 'Id of the project in it.', 'travel-agent'),
}) {}

export const tenantOf = ({ org_id, project_id }: TenantBody): Tenant => ({
  orgId: org_id,
  projectId: project_id,
});
