import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { AuditRepository } from './audit.repository.js';

/** Each removal leaves a record, so it is not done more often than needed. */
const INTERVAL_MS = 60 * 60 * 1000;
const STEP = 10_000;

/** Removes audit records when they have become as old as the deployment wanted when they were made. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor({ AUDIT_RETENTION_DAYS }: ConfigServiceEnv, audit: AuditRepository, logger: Logger) {
    this.task = new PeriodicTask({
      name: 'removal of old audit records',
      intervalMs: INTERVAL_MS,
      work: async () => {
        while ((await audit.removeExpired(AUDIT_RETENTION_DAYS, STEP)) === STEP);
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
