import { episodesAdded } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerIntake } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EpisodeIntake } from './episode-intake.js';

/** Hears of new episodes. */
@Injectable()
export class IntakeConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly consumers: ConsumerRunner,
    private readonly intake: EpisodeIntake,
  ) {}

  onApplicationBootstrap(): void {
    this.consumers.run(semanticWorkerIntake, episodesAdded, async (messages) => {
      for (const { payload, publishedAt } of messages) {
        if (payload.types.includes('semantic')) await this.intake.take(payload, publishedAt);
      }
    });
  }
}
