import { projectsDeleted } from '@loci/contracts';
import { ConsumerRunner, episodicWorkerErase } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ProjectEraser } from './project-eraser.js';

/** Hears from the control plane which projects are to be erased. */
@Injectable()
export class DeletedProjects implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly eraser: ProjectEraser,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(
      episodicWorkerErase,
      projectsDeleted,
      async (messages) => {
        for (const { payload } of messages) await this.eraser.erase(payload);
      },
      { batchSize: 1 },
    );
  }
}
