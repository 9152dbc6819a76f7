import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { AuditRepository } from './audit.repository.js';

const INTERVAL_MS = 10 * 60 * 1000;
const STEP = 1_000;

/** Removes audit records when they are as old as the deployment wants them to get. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor({ AUDIT_RETENTION_DAYS }: ConfigServiceEnv, audit: AuditRepository, logger: Logger) {
    this.task = new PeriodicTask({
      name: 'removal of old audit records',
      intervalMs: INTERVAL_MS,
      work: async () => {
        while ((await audit.removeOlderThan(AUDIT_RETENTION_DAYS, STEP)) === STEP);
      },
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
