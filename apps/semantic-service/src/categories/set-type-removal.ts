import { removeSetType, type RemoveSetTypeRequest, tenantName } from '@loci/contracts';
import { Idempotency, Outbox } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { CategoryFeatures } from '../features/category-features.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { CategoriesRepository } from './categories.repository.js';

/** Removes a set type with what depends on it: its templates, and the features of sets under these. */
@Injectable()
export class SetTypeRemoval {
  constructor(
    private readonly setTypes: SetTypesService,
    private readonly sets: SetsRepository,
    private readonly categories: CategoriesRepository,
    private readonly features: CategoryFeatures,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** @throws AppError `set_type_not_found`, `forbidden` */
  async remove(request: RemoveSetTypeRequest): Promise<void> {
    const { tenant, setTypeId, idempotency } = request;
    const operation = { tenant: tenantName(tenant), operation: removeSetType.subject };
    await this.idempotency.run(operation, idempotency, async (tx) => {
      const type = await this.setTypes.lock(await this.projects.scope(request, tx), setTypeId, tx);
      for (const template of await this.categories.lockTemplates(type, tx)) {
        for await (const sets of this.categories.setsOf(template, type, tx)) {
          for (const set of sets) await this.features.removeAll(tx, set, template.name);
        }
      }
      await this.sets.removeType(type, tx);
      return {};
    });
    this.outbox.wake();
  }
}
