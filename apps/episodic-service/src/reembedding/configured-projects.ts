import { projectsConfigured } from '@loci/contracts';
import { ReembeddingJobs } from '@loci/indexing';
import { ConsumerRunner, episodicWorkerConfigure } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Handles projects that chose other models: their re-embedding starts, also when the api was not told. */
@Injectable()
export class ConfiguredProjects implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly projects: ProjectsRepository,
    private readonly reembeddings: ReembeddingJobs,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(episodicWorkerConfigure, projectsConfigured, async (messages) => {
      for (const { payload } of messages) await this.projects.adoptModels(payload);
      this.reembeddings.planSoon(messages.map(({ payload }) => payload.projectUid));
    });
  }
}
