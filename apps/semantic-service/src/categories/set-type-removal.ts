import { removeSetType, type RemoveSetTypeRequest, tenantName } from '@loci/contracts';
import { Idempotency, Outbox } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { requireChange, requireUnboundAuthor } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoryClearing } from './category-clearing.js';

/** Removes a set type with what depends on it: its templates, and the features of sets under these. */
@Injectable()
export class SetTypeRemoval {
  constructor(
    private readonly setTypes: SetTypesService,
    private readonly sets: SetsRepository,
    private readonly categories: CategoriesRepository,
    private readonly clearing: CategoryClearing,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** @throws AppError `set_type_not_found`, `forbidden` */
  async remove(request: RemoveSetTypeRequest): Promise<void> {
    const operation = { tenant: tenantName(request.tenant), operation: removeSetType.subject };
    const clear = async (): Promise<void> => {
      const scope = await this.projects.scope(request);
      const type = await this.setTypes.get(scope, request.setTypeId);
      requireUnboundAuthor();
      requireChange(scope, type);
      for (const template of await this.categories.templates(type)) await this.clearing.clear(template, type);
    };
    await this.idempotency.runPrepared(operation, request.idempotency, clear, async (tx) => {
      const type = await this.setTypes.lock(await this.projects.scope(request, tx), request.setTypeId, tx);
      for (const template of await this.categories.lockTemplates(type, tx)) {
        await this.clearing.clearRest(template, type, tx);
      }
      await this.sets.removeType(type, tx);
      return {};
    });
    this.outbox.wake();
  }
}
