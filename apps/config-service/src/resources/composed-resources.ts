import { resourceTitle, type ResourceUse } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { partsOf } from '@loci/registry';
import { Injectable } from '@nestjs/common';
import { isSame, type ResourceId } from './resource.js';
import { AllResourceUsers, type ResourceUsers } from './resource-users.js';
import { ResourcesRepository } from './resources.repository.js';

/** Rerankers that are made of other resources. */
@Injectable()
export class ComposedResources implements ResourceUsers {
  constructor(
    private readonly resources: ResourcesRepository,
    all: AllResourceUsers,
  ) {
    all.register(this);
  }

  async usesOf(id: ResourceId, tx?: Transaction): Promise<ResourceUse[]> {
    const all = await this.resources.list(tx);
    return all
      .filter((one) => !isSame(one, id) && partsOf(one).some((part) => isSame(part, id)))
      .map(({ kind, name }) => ({ text: resourceTitle(kind, name), resource: { kind, name } }));
  }
}
