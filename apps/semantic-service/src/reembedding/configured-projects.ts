import { projectsConfigured } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerAdopt } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Learns of projects that chose other models, also when the api could not be told. */
@Injectable()
export class ConfiguredProjects implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly projects: ProjectsRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(semanticWorkerAdopt, projectsConfigured, async (messages) => {
      for (const { payload } of messages) await this.projects.adoptModels(payload);
    });
  }
}
