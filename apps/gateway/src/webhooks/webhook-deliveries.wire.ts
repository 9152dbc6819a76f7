import {
  NOTIFICATION_TYPES,
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookDelivery,
  type WebhookTestResult,
} from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable } from '../wire/answers.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';
import { request } from '../wire/schema/request.js';
import { EXAMPLE_ERROR, PAGE } from './webhooks.wire.js';

export class ListDeliveriesQuery extends request('ListDeliveriesQuery', PAGE) {}

const httpStatus = described(
  nullable(Type.Integer()),
  'What the receiver answered at the last try; null = it gave no answer.',
  503,
);

export const webhookTestAnswer = Type.Object(
  {
    event_id: described(Type.String({ format: 'uuid' }), 'The `webhook-id` that was sent.', EXAMPLE_UID),
    delivered: described(Type.Boolean(), 'Whether the receiver took it: it answered 2xx in time.', true),
    http_status: httpStatus,
    error: described(nullable(Type.String()), 'What went wrong; null = nothing.', EXAMPLE_ERROR),
    duration_ms: described(Type.Integer(), 'How long it took, in milliseconds.', 120),
  },
  { title: 'WebhookTest' },
);
export type WebhookTestAnswer = Static<typeof webhookTestAnswer>;

export const fromWebhookTest = (result: WebhookTestResult): WebhookTestAnswer => ({
  event_id: result.eventId,
  delivered: result.isDelivered,
  http_status: result.httpStatus ?? null,
  error: result.error ?? null,
  duration_ms: result.durationMs,
});

const deliveryAnswer = Type.Object(
  {
    event_id: described(Type.String({ format: 'uuid' }), 'Id of the event, its `webhook-id`.', EXAMPLE_UID),
    type: described(Type.Enum([...NOTIFICATION_TYPES]), 'Type of the event.', 'features.changed'),
    status: described(
      Type.Enum([...WEBHOOK_DELIVERY_STATUSES]),
      '`delivered`: the receiver took it. `retrying`: it is sent again, and those behind it wait. `dropped`: it failed, and was given up or went with its project.',
      'retrying',
    ),
    attempts: described(Type.Integer(), 'Tries so far.', 3),
    first_attempt_at: described(instantText, 'When it was first sent, in UTC.', EXAMPLE_INSTANT),
    last_attempt_at: described(instantText, 'When it was last sent, in UTC.', EXAMPLE_INSTANT),
    next_attempt_at: described(
      nullable(instantText),
      'When it is sent again, in UTC; null = it is not.',
      EXAMPLE_INSTANT,
    ),
    http_status: httpStatus,
    error: described(
      nullable(Type.String()),
      'What went wrong at the last try; null = nothing.',
      EXAMPLE_ERROR,
    ),
    duration_ms: described(Type.Integer(), 'How long the last try took, in milliseconds.', 120),
  },
  { title: 'WebhookDelivery' },
);
export type DeliveryAnswer = Static<typeof deliveryAnswer>;
export const deliveryListAnswer = Type.Array(deliveryAnswer);

export const fromDelivery = (delivery: WebhookDelivery): DeliveryAnswer => ({
  event_id: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  first_attempt_at: delivery.firstAttemptAt,
  last_attempt_at: delivery.lastAttemptAt,
  next_attempt_at: delivery.nextAttemptAt ?? null,
  http_status: delivery.httpStatus ?? null,
  error: delivery.error ?? null,
  duration_ms: delivery.durationMs,
});
