import { type NotificationType, type WebhookDeliveryStatus } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { DELIVERIES, WEBHOOKS } from './webhook-rows.js';

/** Newest first. Parameters: the webhook, how many to leave out, how many at most. */
export const LIST_DELIVERIES = sql({
  text: `SELECT d.event_id, d.type, d.status, d.attempts, d.first_attempt_at, d.last_attempt_at, d.http_status, d.error,
                d.duration_ms, CASE WHEN d.status = 'retrying' AND w.is_enabled THEN w.next_attempt_at END AS next_attempt_at
         FROM ${DELIVERIES} AS d JOIN ${WEBHOOKS} AS w ON w.id = d.webhook_id
         WHERE d.webhook_id = $1 ORDER BY d.position DESC OFFSET $2 LIMIT $3`,
  row: {
    event_id: 'uuid',
    type: narrowed<NotificationType>('text'),
    status: narrowed<WebhookDeliveryStatus>('text'),
    attempts: 'int4',
    first_attempt_at: 'timestamptz',
    last_attempt_at: 'timestamptz',
    http_status: 'int4?',
    error: 'text?',
    duration_ms: 'int4',
    next_attempt_at: 'timestamptz?',
  },
});
