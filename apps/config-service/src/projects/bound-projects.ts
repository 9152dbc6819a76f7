import { type AccessBounds, projectBeingDeleted } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository } from './projects.repository.js';

/** The projects that keys are bound to. */
@Injectable()
export class BoundProjects {
  constructor(private readonly projects: ProjectsRepository) {}

  /**
   * For a key that is about to be bound. Until the transaction ends, its project is not deleted, so that a deletion revokes
   * every key that was made before it. There may be none of that name yet.
   * @throws AppError `project_being_deleted`
   */
  async hold({ orgId, projectId }: AccessBounds, tx: Transaction): Promise<void> {
    if (orgId === undefined || projectId === undefined) return;
    const tenant = { orgId, projectId };
    const project = await this.projects.hold(tenant, tx);
    if (project?.isBeingDeleted) throw projectBeingDeleted(tenant);
  }
}
