import { type Tenant } from '@loci/contracts';
import { Wire } from './reading/shapes.js';
import { identifier } from './reading/text.js';

/** The ids of a request that has to name its project. */
export class NamedProjectBody {
  @Wire(identifier)
  readonly org_id!: string;

  @Wire(identifier)
  readonly project_id!: string;
}

/** The ids of a request that may leave its project to the default. */
export class TenantBody {
  @Wire(identifier, { default: 'universal' })
  readonly org_id!: string;

  @Wire(identifier, { default: 'universal' })
  readonly project_id!: string;
}

export const tenantOf = ({ org_id, project_id }: TenantBody): Tenant => ({
  orgId: org_id,
  projectId: project_id,
});
