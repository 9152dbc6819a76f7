import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { ModelsModule } from '../resources/models.module.js';
import { WebhookChanges } from './webhook-changes.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookRetention } from './webhook-retention.js';
import { WebhookSecretRotation } from './webhook-secret-rotation.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookWorkRepository } from './webhook-work.repository.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

/** Who gets events by HTTP, and the deliveries. */
@Module({
  imports: [ProjectsModule, QuotasModule, NotificationsModule, ModelsModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhooksRepository,
    WebhookWorkRepository,
    WebhookSecrets,
    WebhookSender,
    WebhookChanges,
    WebhookDeliveries,
    WebhookRetention,
    WebhookSecretRotation,
  ],
})
export class WebhooksModule {}
