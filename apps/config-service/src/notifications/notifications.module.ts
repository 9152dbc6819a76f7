import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { NotificationRecorder } from './notification-recorder.js';
import { NotificationRetention } from './notification-retention.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

/** What clients are told of: recorded here, delivered by the gateways. */
@Module({
  imports: [ConsumerModule],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationsRepository, NotificationRecorder, NotificationRetention],
  exports: [NotificationsService],
})
export class NotificationsModule {}
