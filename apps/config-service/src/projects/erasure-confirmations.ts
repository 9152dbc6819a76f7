import { episodicProjectsErased, semanticProjectsErased } from '@loci/contracts';
import { configServiceErased, configServiceSemanticErased, ConsumerRunner } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ProjectsService } from './projects.service.js';

/** Hears from the holders of data that a deleted project is erased. */
@Injectable()
export class ErasureConfirmations implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly projects: ProjectsService,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(configServiceErased, episodicProjectsErased, async (messages) => {
      for (const { payload } of messages) await this.projects.confirmErasure(payload, 'episodic');
    });
    this.runner.run(configServiceSemanticErased, semanticProjectsErased, async (messages) => {
      for (const { payload } of messages) await this.projects.confirmErasure(payload, 'semantic');
    });
  }
}
