import {
  createWebhook,
  getWebhook,
  type IdempotencyToken,
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { boundsFrom } from '../keys/keys.wire.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import {
  type DeliveryAnswer,
  deliveryListAnswer,
  fromDelivery,
  fromWebhookTest,
  ListDeliveriesQuery,
  type WebhookTestAnswer,
  webhookTestAnswer,
} from './webhook-deliveries.wire.js';
import {
  CreateWebhookBody,
  fromIssuedWebhook,
  fromWebhook,
  type IssuedWebhookAnswer,
  issuedWebhookAnswer,
  ListWebhooksQuery,
  RotateWebhookBody,
  toCreateWebhook,
  toUpdateWebhook,
  UpdateWebhookBody,
  type WebhookAnswer,
  webhookAnswer,
  webhookId,
  webhookListAnswer,
} from './webhooks.wire.js';

const TOTAL = { 'x-total-count': 'How many there are on all pages together.' };

/** Receivers of events, for administrators: of the deployment, or of what their own key is bound to. */
@Tagged('Webhooks')
@Controller('api/v2/webhooks')
export class WebhooksController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @Access('admin', { tenantFrom: 'caller' })
  @Documented({
    name: 'create_webhook',
    summary: 'Adds a receiver of events; only this answer ever shows its secret.',
    description:
      'It gets the events of the stream of events that happen from now on, each by a POST with the same JSON, signed as Standard Webhooks says: `webhook-id`, `webhook-timestamp`, `webhook-signature`. Events come in their sequence, at least once; one that is not answered by 2xx is sent again, with growing pauses, and those behind it wait. What `org_id` and `project_id` leave open is what your own key is bound to.',
    answer: issuedWebhookAnswer,
    errors: ['project_not_found', 'producer_not_allowed', 'name_confusable', 'quota_exceeded'],
  })
  async create(
    @Body() body: CreateWebhookBody,
    @CurrentCaller() caller: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<IssuedWebhookAnswer> {
    return fromIssuedWebhook(await this.rpc.call(createWebhook, toCreateWebhook(body, caller, idempotency)));
  }

  @Get()
  @Access('admin', { tenantFrom: 'caller' })
  @Documented({
    name: 'list_webhooks',
    summary: 'Lists the webhooks within the bounds of your key, oldest first.',
    answer: webhookListAnswer,
    headers: TOTAL,
    errors: ['project_not_found'],
  })
  async list(
    @Query() query: ListWebhooksQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookAnswer[]> {
    const { page_size: limit, page_num } = query;
    const request = { within: boundsFrom(query, caller), offset: limit * page_num, limit };
    const { webhooks, total } = await this.rpc.call(listWebhooks, request);
    void reply.header('x-total-count', total);
    return webhooks.map(fromWebhook);
  }

  @Get(':id')
  @Access('admin', { tenantFrom: 'caller', thing: 'webhook' })
  @Documented({
    name: 'get_webhook',
    path: { id: webhookId },
    summary: 'Shows a webhook, and how its deliveries go.',
    answer: webhookAnswer,
    errors: ['webhook_not_found'],
  })
  async get(@Param('id') id: string, @CurrentCaller() { bounds: within }: Caller): Promise<WebhookAnswer> {
    return fromWebhook(await this.rpc.call(getWebhook, { within, id }));
  }

  @Put(':id')
  @Access('admin', { tenantFrom: 'caller', thing: 'webhook' })
  @Documented({
    name: 'update_webhook',
    path: { id: webhookId },
    summary: 'Changes a webhook; what is absent stays.',
    answer: webhookAnswer,
    errors: ['webhook_not_found', 'producer_not_allowed'],
  })
  async update(
    @Param('id') id: string,
    @Body() body: UpdateWebhookBody,
    @CurrentCaller() caller: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<WebhookAnswer> {
    return fromWebhook(await this.rpc.call(updateWebhook, toUpdateWebhook(id, body, caller, idempotency)));
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', { tenantFrom: 'caller', thing: 'webhook', ignoresBody: true })
  @Documented({
    name: 'remove_webhook',
    path: { id: webhookId },
    summary: 'Removes a webhook and the record of its deliveries.',
    errors: ['webhook_not_found', 'producer_not_allowed'],
  })
  async remove(
    @Param('id') id: string,
    @CurrentCaller() { bounds: within }: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(removeWebhook, { within, id, idempotency });
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @Access('admin', { tenantFrom: 'caller', thing: 'webhook' })
  @Documented({
    name: 'rotate_webhook',
    path: { id: webhookId },
    summary:
      'Gives a webhook a new secret; deliveries are signed with the former one, too, for as long as you say.',
    answer: issuedWebhookAnswer,
    errors: ['webhook_not_found', 'producer_not_allowed'],
  })
  async rotate(
    @Param('id') id: string,
    @Body() body: RotateWebhookBody,
    @CurrentCaller() { bounds: within }: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<IssuedWebhookAnswer> {
    const request = { within, id, graceSeconds: body.grace_seconds, idempotency };
    return fromIssuedWebhook(await this.rpc.call(rotateWebhook, request));
  }

  @Post(':id/test')
  @HttpCode(200)
  @Access('admin', { tenantFrom: 'caller', thing: 'webhook', ignoresBody: true })
  @Documented({
    name: 'test_webhook',
    path: { id: webhookId },
    summary: 'Sends an event of the type `webhook.test` once, and says what the receiver made of it.',
    description:
      'It is sent beside the events that wait, also to a webhook that is disabled, and what becomes of it changes nothing.',
    answer: webhookTestAnswer,
    errors: ['webhook_not_found', 'producer_not_allowed'],
  })
  async test(
    @Param('id') id: string,
    @CurrentCaller() { bounds: within }: Caller,
  ): Promise<WebhookTestAnswer> {
    return fromWebhookTest(await this.rpc.call(testWebhook, { within, id }));
  }

  @Get(':id/deliveries')
  @Access('admin', { tenantFrom: 'caller', thing: 'webhook' })
  @Documented({
    name: 'list_webhook_deliveries',
    path: { id: webhookId },
    summary: 'Lists what was sent to a webhook, newest first, for as long as events are kept.',
    answer: deliveryListAnswer,
    headers: TOTAL,
    errors: ['webhook_not_found'],
  })
  async deliveries(
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
    @CurrentCaller() { bounds: within }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeliveryAnswer[]> {
    const { page_size: limit, page_num } = query;
    const request = { within, id, offset: limit * page_num, limit };
    const { deliveries, total } = await this.rpc.call(listWebhookDeliveries, request);
    void reply.header('x-total-count', total);
    return deliveries.map(fromDelivery);
  }
}
