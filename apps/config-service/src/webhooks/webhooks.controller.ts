import {
  createWebhook,
  type CreateWebhookRequest,
  type Done,
  getWebhook,
  type IssuedWebhook,
  listWebhookDeliveries,
  type ListWebhookDeliveriesRequest,
  listWebhooks,
  type ListWebhooksRequest,
  removeWebhook,
  rotateWebhook,
  type RotateWebhookRequest,
  testWebhook,
  updateWebhook,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDeliveryList,
  type WebhookList,
  type WebhookRequest,
  type WebhookTestResult,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { WebhookChanges } from './webhook-changes.js';
import { WebhooksService } from './webhooks.service.js';

@Controller()
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly changes: WebhookChanges,
  ) {}

  @Handle(createWebhook)
  async create(request: CreateWebhookRequest): Promise<IssuedWebhook> {
    const { webhook, secret } = await this.webhooks.create(request);
    return { ...webhook, secret };
  }

  @Handle(listWebhooks)
  list({ within, ...page }: ListWebhooksRequest): Promise<WebhookList> {
    return this.webhooks.list(within, page);
  }

  @Handle(getWebhook)
  get(request: WebhookRequest): Promise<Webhook> {
    return this.webhooks.get(request);
  }

  @Handle(updateWebhook)
  async update(request: UpdateWebhookRequest): Promise<Webhook> {
    const webhook = await this.webhooks.update(request);
    this.changes.announce();
    return webhook;
  }

  @Handle(removeWebhook)
  async remove(request: WebhookRequest): Promise<Done> {
    await this.webhooks.remove(request);
    return {};
  }

  @Handle(rotateWebhook)
  async rotate(request: RotateWebhookRequest): Promise<IssuedWebhook> {
    const { webhook, secret } = await this.webhooks.rotate(request);
    this.changes.announce();
    return { ...webhook, secret };
  }

  @Handle(testWebhook)
  test(request: WebhookRequest): Promise<WebhookTestResult> {
    return this.webhooks.test(request);
  }

  @Handle(listWebhookDeliveries)
  deliveries({ offset, limit, ...request }: ListWebhookDeliveriesRequest): Promise<WebhookDeliveryList> {
    return this.webhooks.deliveries(request, { offset, limit });
  }
}
