import { DELIVERIES } from './webhook-rows.js';

/**
 * An `INSERT` beside the `UPDATE` of the webhook, which is called `changed`: nothing is recorded for a claim that is lost.
 * Parameters 3 to 8: position, id and type of the notification, status, error, milliseconds.
 * @param status as a literal of SQL
 */
export const recordDelivery = (status: 'delivered' | 'retrying'): string =>
  `INSERT INTO ${DELIVERIES} AS d
     (webhook_id, position, org_id, event_id, type, status, attempts, http_status, error, duration_ms)
   SELECT id, $3::bigint, org_id, $4::uuid, $5::text, '${status}', 1, $6::int, $7::text, $8::int FROM changed
   ON CONFLICT (webhook_id, position) DO UPDATE SET status = excluded.status, attempts = d.attempts + 1,
     last_attempt_at = now(), http_status = excluded.http_status, error = excluded.error,
     duration_ms = excluded.duration_ms`;
