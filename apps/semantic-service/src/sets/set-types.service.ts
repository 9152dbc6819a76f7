import { addSetType, type AddSetTypeRequest, notFound, type Tenant, tenantName } from '@loci/contracts';
import { Idempotency, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { type Scope } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { tagKeys } from './set-identity.js';
import { type SetType } from './set.js';
import { SetsRepository } from './sets.repository.js';

@Injectable()
export class SetTypesService {
  constructor(
    private readonly sets: SetsRepository,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
  ) {}

  /** @returns the uid of the type of these tags, made if it is missing @throws AppError `project_being_deleted` */
  async add(request: AddSetTypeRequest): Promise<string> {
    const { tenant, isOrgLevel, tags, name, description, idempotency } = request;
    const project = await this.projects.admit(tenant);
    const projectUid = isOrgLevel ? undefined : project.uid;
    const scope = { tenant: tenantName(tenant), operation: addSetType.subject };
    return this.idempotency.run(scope, idempotency, async (tx) => {
      await this.projects.hold(project, tx);
      const type = { uid: uuidv7(), orgId: tenant.orgId, projectUid, tags: tagKeys(tags), name, description };
      return this.sets.addType(type, tx);
    });
  }

  /** Those of the organization and of the project, oldest first. */
  async list(tenant: Tenant): Promise<SetType[]> {
    return this.sets.types(await this.projects.scope(tenant));
  }

  /** @throws AppError `set_type_not_found` */
  async get(scope: Scope, uid: string): Promise<SetType> {
    return known(isUuid(uid) ? await this.sets.findType(scope, uid) : undefined);
  }

  /** As `get`; nobody else changes or removes the type until the transaction ends. @throws AppError `set_type_not_found` */
  async hold(scope: Scope, uid: string, tx: Transaction): Promise<SetType> {
    return known(isUuid(uid) ? await this.sets.holdType(scope, uid, tx) : undefined);
  }
}

function known(type: SetType | undefined): SetType {
  if (!type) throw notFound('set_type_not_found', 'This set type does not exist; create it first.');
  return type;
}
