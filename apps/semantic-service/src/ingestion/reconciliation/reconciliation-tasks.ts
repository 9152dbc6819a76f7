import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { IntakeService } from '../intake/intake.service.js';
import { CursorsRepository } from './cursors.repository.js';
import { LearnedMessages } from './learned-messages.js';
import { MissedEpisodes } from './missed-episodes.js';
import { VanishedEpisodes } from './vanished-episodes.js';

/** The periodic jobs of the worker: does this service know what the episodic service has, and only that. */
@Injectable()
export class ReconciliationTasks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly missedRounds: PeriodicTask;
  private readonly rounds: readonly PeriodicTask[];

  constructor(
    private readonly cursors: CursorsRepository,
    private readonly intake: IntakeService,
    missed: MissedEpisodes,
    vanished: VanishedEpisodes,
    learned: LearnedMessages,
    { SWEEP_INTERVAL_MS: intervalMs }: SemanticServiceEnv,
    logger: Logger,
  ) {
    this.missedRounds = new PeriodicTask({
      name: 'look for episodes that no event announced',
      intervalMs,
      work: (signal) => missed.find(signal),
      logger,
    });
    this.rounds = [
      this.missedRounds,
      new PeriodicTask({
        name: 'look for episodes that are deleted',
        intervalMs,
        work: (signal) => vanished.find(signal),
        logger,
      }),
      new PeriodicTask({
        name: 'remove the rows of messages that were learned from',
        intervalMs,
        work: (signal) => learned.remove(signal),
        logger,
      }),
    ];
  }

  onApplicationBootstrap(): void {
    // what is put off is taken in by that look, as soon as something can learn from it
    this.intake.onTaken((taking) => {
      if (taking === 'later') this.missedRounds.wake();
    });
    for (const round of this.rounds) round.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.cursors.stop();
    await Promise.all(this.rounds.map((round) => round.stop()));
  }
}
