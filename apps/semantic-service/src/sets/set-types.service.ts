import {
  addSetType,
  type AddSetTypeRequest,
  notFound,
  type ListSetTypesRequest,
  tenantName,
} from '@loci/contracts';
import { Idempotency, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import {
  noneOfOrganization,
  requireChange,
  requireUnboundAuthor,
  type Scope,
  scopeOf,
} from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { tagKeys } from './set-identity.js';
import { SetTypeQuota } from './set-type-quota.js';
import { type SetType } from './set.js';
import { SetsRepository } from './sets.repository.js';

@Injectable()
export class SetTypesService {
  constructor(
    private readonly sets: SetsRepository,
    private readonly quota: SetTypeQuota,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * @returns the uid of the type of these tags, made if it is missing
   * @throws AppError `project_being_deleted`; `producer_not_allowed`; `quota_exceeded`; `set_type_not_found` or `forbidden` for one of the organization
   */
  async add(request: AddSetTypeRequest): Promise<string> {
    const { tenant, organization, isOrgLevel, tags, name, description, idempotency } = request;
    requireUnboundAuthor();
    if (isOrgLevel && organization === 'none') throw noneOfOrganization('set_type_not_found', 'set types');
    const project = await this.projects.ensureOpen(tenant);
    const projectUid = isOrgLevel ? undefined : project.uid;
    requireChange(scopeOf(project, organization), { projectUid });
    const scope = { tenant: tenantName(tenant), operation: addSetType.subject };
    return this.idempotency.run(scope, idempotency, async (tx) => {
      await this.projects.keepOpen(project, tx);
      const type = { uid: uuidv7(), orgId: tenant.orgId, projectUid, tags: tagKeys(tags), name, description };
      return this.quota.add(type, tx);
    });
  }

  /**
   * Those of the project, and those of the organization that the caller may see, oldest first.
   * @throws AppError `body_too_large`
   */
  async list({ limit, offset = 0, ...request }: ListSetTypesRequest): Promise<SetType[]> {
    return this.sets.types(await this.projects.scope(request), { limit, offset });
  }

  /** @throws AppError `set_type_not_found` */
  async get(scope: Scope, uid: string): Promise<SetType> {
    return known(isUuid(uid) ? await this.sets.findType(scope, uid) : undefined);
  }

  /**
   * As `get`, for a change: nothing else changes or removes the type until the transaction ends.
   * @throws AppError `set_type_not_found`, `forbidden`, `producer_not_allowed`
   */
  async lock(scope: Scope, uid: string, tx: Transaction): Promise<SetType> {
    const type = known(isUuid(uid) ? await this.sets.lockType(scope, uid, tx) : undefined);
    requireUnboundAuthor();
    requireChange(scope, type);
    return type;
  }
}

function known(type: SetType | undefined): SetType {
  if (!type) throw typeNotFound();
  return type;
}

const typeNotFound = (): Error =>
  notFound('set_type_not_found', 'This set type does not exist; list the set types to see which do.');
