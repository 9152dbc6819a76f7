import { type ResourceUse, tenantName } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type ResourceId } from '../resources/resource.js';
import { AllResourceUsers, type ResourceUsers } from '../resources/resource-users.js';
import { ProjectsRepository } from './projects.repository.js';

/** More than a reader needs, and few enough to be read at once. */
const MAX_PROJECTS = 100;

/** Projects that chose a model. */
@Injectable()
export class ProjectResourceUsers implements ResourceUsers {
  constructor(
    private readonly projects: ProjectsRepository,
    all: AllResourceUsers,
  ) {
    all.register(this);
  }

  async usesOf({ kind, name }: ResourceId, tx?: Transaction): Promise<ResourceUse[]> {
    if (kind === 'language_model') return [];
    const projects = await this.projects.listUsing(kind, name, MAX_PROJECTS, tx);
    return projects.map((tenant) => ({ text: `project ${tenantName(tenant)} (${kind})`, tenant }));
  }
}
