import { episodicProjectsErased, type ProjectReference, tenantName } from '@loci/contracts';
import { IndexSpaces } from '@loci/indexing';
import { Idempotency, Outbox, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { SummariesRepository } from '../summaries/summaries.repository.js';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Episodes erased in one transaction. */
const STEP = 1_000;

/** A closed project is remembered longer than any writer that was admitted before can still be under way. */
const ERASED_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Erases everything that this service holds of a project. Safe to repeat and to interrupt. */
@Injectable()
export class ProjectEraser {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly episodes: EpisodesRepository,
    private readonly spaces: IndexSpaces,
    private readonly summaries: SummariesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** Returns when nothing is left and the confirmation is on its way. */
  async erase(reference: ProjectReference): Promise<void> {
    await this.projects.close(reference);
    do {
      await this.eraseEpisodes(reference.projectUid);
    } while (!(await this.confirm(reference)));
    this.outbox.wake();
    await this.projects.forgetErased(ERASED_RETENTION_MS);
  }

  private async eraseEpisodes(projectUid: string): Promise<void> {
    while ((await this.episodes.erase(projectUid, STEP)) > 0);
    await this.spaces.erase(projectUid);
    await this.summaries.forget(projectUid);
  }

  /** @returns false when another worker's step was not visible yet: there is more to erase */
  private confirm(reference: ProjectReference): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      const state = await this.projects.markErased(reference.projectUid, tx);
      if (state === 'remaining') return false;
      // the name is not free before the confirmation, so these are the answers of the life that ends here
      if (state === 'erased') await this.idempotency.forget(tenantName(reference.tenant), tx);
      await this.outbox.append(tx, episodicProjectsErased, reference);
      return true;
    });
  }
}
