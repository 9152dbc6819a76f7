import { Logger, PeriodicTask } from '@loci/platform';
import { Registry } from '@loci/registry';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { JobRunner } from './job-runner.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { Scheduler } from '../jobs/scheduler.js';

/** The age of a message counts to within two seconds. */
const LOOK_INTERVAL_MS = 1_000;

/** The periodic job of the worker: what is due by the clock, and what may go on because the registry has changed. */
@Injectable()
export class JobTasks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: PeriodicTask;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly runner: JobRunner,
    private readonly registry: Registry,
    private readonly logger: Logger,
    scheduler: Scheduler,
  ) {
    this.rounds = new PeriodicTask({
      name: 'look for sets that are due',
      intervalMs: LOOK_INTERVAL_MS,
      work: () => scheduler.look(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.stopListening = this.registry.onChange(() => void this.unblock());
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopListening?.();
    await this.rounds.stop();
    try {
      await this.runner.stop();
    } catch (error) {
      this.logger.warn('passes that are under way count as unfinished', { error });
    }
  }

  private async unblock(): Promise<void> {
    try {
      await this.jobs.unblock();
    } catch (error) {
      this.logger.warn('blocked sets go on only after their pause', { error });
    }
  }
}
