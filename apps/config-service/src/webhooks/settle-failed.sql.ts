import { sql } from '@loci/persistence';
import { recordDelivery } from './record-delivery.js';
import { WEBHOOK_LEASE } from './webhook-lease.js';
import { WEBHOOKS } from './webhook-rows.js';

/**
 * No row when the claim is lost. Parameters: the webhook, the fence, as `recordDelivery`, milliseconds until the next try,
 * why it is disabled (null = it is not).
 */
export const SETTLE_FAILED = sql({
  text: `WITH changed AS (
           UPDATE ${WEBHOOKS} SET attempts = attempts + 1, failing_since = coalesce(failing_since, now()),
             last_error = $7::text, next_attempt_at = now() + $9::float8 * interval '1 ms',
             is_enabled = is_enabled AND $10::text IS NULL, disabled_reason = coalesce($10::text, disabled_reason),
             ${WEBHOOK_LEASE.released}, ${WEBHOOK_LEASE.ended}
           WHERE id = $1 AND ${WEBHOOK_LEASE.isOwner(2)} RETURNING id, org_id),
         recorded AS (${recordDelivery('retrying')})
         SELECT id FROM changed`,
  row: { id: 'uuid' },
});
