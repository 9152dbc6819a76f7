import { episodesAdded } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerIntake } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EpisodeIntake } from './episode-intake.js';

/** Events taken together: they share a transaction, which costs as much for one as for many. */
const BATCH_SIZE = 64;

/** No request waits for a backlog, and triggers are exact to two seconds: the more come together, the less each costs. */
const MAX_WAIT_MS = 100;

/**
 * All organizations share the order of events: while one adds very much, messages of the others are not to wait for the rests,
 * which let its events pile up although they could be handled as quickly as they come.
 */
const MAX_LATE_MS = 5_000;

/** Hears of new episodes. */
@Injectable()
export class IntakeConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly consumers: ConsumerRunner,
    private readonly intake: EpisodeIntake,
  ) {}

  onApplicationBootstrap(): void {
    this.consumers.run(
      semanticWorkerIntake,
      episodesAdded,
      async (messages) => {
        const wanted = messages.filter(({ payload }) => payload.types.includes('semantic'));
        await this.intake.take(
          wanted.map(({ payload: reference, publishedAt: receivedAt, causes }) => ({
            reference,
            receivedAt,
            causes,
          })),
        );
      },
      { batchSize: BATCH_SIZE, maxWaitMs: MAX_WAIT_MS, restsWhenBehind: true, maxLateMs: MAX_LATE_MS },
    );
  }
}
