import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { WebhookWorkRepository } from './webhook-work.repository.js';

const INTERVAL_MS = 10 * 60 * 1000;
const REMOVED_AT_ONCE = 1_000;

/** Removes records of deliveries whose events are kept for long enough. */
@Injectable()
export class WebhookRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    private readonly webhooks: WebhookWorkRepository,
    private readonly env: ConfigServiceEnv,
    logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'removal of old deliveries',
      intervalMs: INTERVAL_MS,
      work: () => this.removeOld(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private async removeOld(): Promise<void> {
    const remove = () => this.webhooks.removeOldDeliveries(this.env.EVENT_RETENTION_HOURS, REMOVED_AT_ONCE);
    while ((await remove()) === REMOVED_AT_ONCE);
  }
}
