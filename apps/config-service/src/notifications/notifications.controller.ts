import { listNotifications, type ListNotificationsRequest, type NotificationPage } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { NotificationsService } from './notifications.service.js';

@Controller()
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Handle(listNotifications)
  list(request: ListNotificationsRequest): Promise<NotificationPage> {
    return this.notifications.list(request);
  }
}
