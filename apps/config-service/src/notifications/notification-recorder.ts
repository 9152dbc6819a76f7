import {
  configNotificationsRaised,
  episodicNotificationsRaised,
  type Notification,
  semanticNotificationsRaised,
} from '@loci/contracts';
import {
  configServiceEpisodicNotifications,
  configServiceNotifications,
  configServiceSemanticNotifications,
  ConsumerRunner,
  type ReceivedMessage,
} from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { NotificationsService } from './notifications.service.js';

const BATCH = { batchSize: 100, maxWaitMs: 20 };

/** Records what the services raise. */
@Injectable()
export class NotificationRecorder implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly notifications: NotificationsService,
  ) {}

  onApplicationBootstrap(): void {
    const record = (messages: readonly ReceivedMessage<Notification>[]): Promise<void> =>
      this.notifications.record(messages.map(({ payload }) => payload));
    this.runner.run(configServiceNotifications, configNotificationsRaised, record, BATCH);
    this.runner.run(configServiceEpisodicNotifications, episodicNotificationsRaised, record, BATCH);
    this.runner.run(configServiceSemanticNotifications, semanticNotificationsRaised, record, BATCH);
  }
}
