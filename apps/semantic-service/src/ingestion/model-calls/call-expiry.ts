import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ModelCallsRepository } from './model-calls.repository.js';

const INTERVAL_MS = 60_000;

/** A periodic job of the worker: removes calls that are kept no longer. */
@Injectable()
export class CallExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: PeriodicTask;

  constructor(calls: ModelCallsRepository, logger: Logger) {
    this.rounds = new PeriodicTask({
      name: 'removal of expired calls of models',
      intervalMs: INTERVAL_MS,
      work: (signal) => calls.expire(signal),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }
}
