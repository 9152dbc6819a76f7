import { episodicProjectsErased, type ProjectReference } from '@loci/contracts';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Episodes erased in one transaction. */
const STEP = 1_000;

/** Erases everything that this service holds of a project. Safe to repeat and to interrupt. */
@Injectable()
export class ProjectEraser {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly episodes: EpisodesRepository,
    private readonly vectors: VectorIndex,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** Returns when nothing is left and the confirmation is on its way. */
  async erase(reference: ProjectReference): Promise<void> {
    const { projectUid } = reference;
    await this.projects.close(reference);
    while ((await this.episodes.erase(projectUid, STEP)) > 0);
    await this.vectors.removeTenant(projectUid);
    await this.unitOfWork.run(async (tx) => {
      await this.projects.markErased(projectUid, tx);
      await this.outbox.append(tx, episodicProjectsErased, reference);
    });
    this.outbox.wake();
  }
}
