import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NotificationsService } from './notifications.service.js';

const INTERVAL_MS = 10 * 60 * 1000;

/** Removes notifications that are kept for long enough. */
@Injectable()
export class NotificationRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(notifications: NotificationsService, logger: Logger) {
    this.task = new PeriodicTask({
      name: 'removal of old notifications',
      intervalMs: INTERVAL_MS,
      work: () => notifications.removeOld(),
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
