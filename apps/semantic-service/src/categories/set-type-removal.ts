import { removeSetType, type RemoveSetTypeRequest, tenantName } from '@loci/contracts';
import { Idempotency, Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ProjectsService } from '../projects/projects.service.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { type SetType } from '../sets/set.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoryClearing } from './category-clearing.js';
import { type NamedCategory } from './category.js';

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
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** @throws AppError `set_type_not_found`, `forbidden` */
  async remove(request: RemoveSetTypeRequest): Promise<void> {
    const operation = { tenant: tenantName(request.tenant), operation: removeSetType.subject };
    const clear = async (): Promise<void> => {
      const { type, templates } = await this.unitOfWork.run((tx) => this.lock(request, tx));
      for (const template of templates) await this.clearing.clear(template, type);
    };
    await this.idempotency.runPrepared(operation, request.idempotency, clear, async (tx) => {
      const { type, templates } = await this.lock(request, tx);
      for (const template of templates) await this.clearing.clearRest(template, type, tx);
      await this.sets.removeType(type, tx);
      return {};
    });
    this.outbox.wake();
  }

  private async lock(
    request: RemoveSetTypeRequest,
    tx: Transaction,
  ): Promise<{ readonly type: SetType; readonly templates: readonly NamedCategory[] }> {
    const type = await this.setTypes.lock(await this.projects.scope(request, tx), request.setTypeId, tx);
    return { type, templates: await this.categories.lockTemplates(type, tx) };
  }
}
