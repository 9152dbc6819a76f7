import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { ProjectsService } from './projects.service.js';

/** Keeps deletions moving: one that is not confirmed in time is announced again. */
@Injectable()
export class DeletionSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(env: ConfigServiceEnv, projects: ProjectsService, logger: Logger) {
    this.task = new PeriodicTask({
      name: 'sweep of unconfirmed deletions',
      intervalMs: env.DELETION_SWEEP_INTERVAL_MS,
      work: () => projects.announceUnconfirmed(env.DELETION_PATIENCE_MS),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }
}
