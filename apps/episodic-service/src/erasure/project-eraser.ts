import { type ProjectReference } from '@loci/contracts';
import { IndexVersions } from '@loci/indexing';
import { ErasedProjects } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { DeletionsRepository } from '../deletions/deletions.repository.js';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { SummariesRepository } from '../summaries/summaries.repository.js';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Episodes erased in one transaction. */
const STEP = 1_000;

/** Erases everything that this service stores of a project. Safe to repeat and to interrupt. */
@Injectable()
export class ProjectEraser {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly episodes: EpisodesRepository,
    private readonly indexVersions: IndexVersions,
    private readonly summaries: SummariesRepository,
    private readonly deletions: DeletionsRepository,
    private readonly erased: ErasedProjects,
  ) {}

  /**
   * Returns when nothing is left and the confirmation is on its way; also when another worker erases the project, or its
   * erasure was set aside. The control plane asks again for what was not confirmed.
   */
  async erase(reference: ProjectReference): Promise<void> {
    await this.projects.close(reference);
    await this.erased.erase(reference, async () => {
      await this.eraseEpisodes(reference.projectUid);
    });
  }

  private async eraseEpisodes(projectUid: string): Promise<void> {
    while ((await this.episodes.erase(projectUid, STEP)) > 0);
    await this.indexVersions.erase(projectUid);
    await this.summaries.forget(projectUid);
    await this.deletions.erase(projectUid);
  }
}
