import { episodesDeleted, instantFromDate, projectsDeleted } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerErase, semanticWorkerForget } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EpisodeForgetter } from './episode-forgetter.js';
import { ProjectEraser } from './project-eraser.js';

/** Hears which episodes were deleted, and which projects are to be erased. */
@Injectable()
export class ErasureConsumers implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly forgetter: EpisodeForgetter,
    private readonly eraser: ProjectEraser,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(
      semanticWorkerForget,
      episodesDeleted,
      async (messages) => {
        for (const { payload, publishedAt } of messages) {
          const { projectUid, uids, addedUntil = instantFromDate(publishedAt) } = payload;
          await this.forgetter.forgetDeleted({ projectUid, uids, addedUntil });
        }
      },
      { batchSize: 16 },
    );
    this.runner.run(
      semanticWorkerErase,
      projectsDeleted,
      async (messages) => {
        for (const { payload } of messages) await this.eraser.erase(payload);
      },
      { batchSize: 1 },
    );
  }
}
