import { projectsConfigured } from '@loci/contracts';
import { MoveKeeper } from '@loci/indexing';
import { ConsumerRunner, episodicWorkerConfigure } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Hears of projects that chose other models: their move begins, also when nobody could tell the api. */
@Injectable()
export class ConfiguredProjects implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly projects: ProjectsRepository,
    private readonly moves: MoveKeeper,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(episodicWorkerConfigure, projectsConfigured, async (messages) => {
      for (const { payload } of messages) await this.projects.adoptModels(payload);
      this.moves.planSoon();
    });
  }
}
