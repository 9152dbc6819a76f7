import { sql } from '@loci/persistence';
import { recordDelivery } from './record-delivery.js';
import { WEBHOOK_LEASE } from './webhook-lease.js';
import { DELIVERIES, WEBHOOKS } from './webhook-rows.js';

/**
 * Also says of an event that failed and then went with its project, or is not wanted any more, that it is dropped. No row
 * when the claim is lost. Parameters: the webhook, the fence, as `recordDelivery`, milliseconds of the lease.
 */
export const SETTLE_DELIVERED = sql({
  text: `WITH changed AS (
           UPDATE ${WEBHOOKS} SET position = $3::bigint, attempts = 0, failing_since = NULL, last_error = NULL,
             next_attempt_at = now(), last_delivered_at = now(), ${WEBHOOK_LEASE.renewed(9)}, ${WEBHOOK_LEASE.gotOn}
           WHERE id = $1 AND ${WEBHOOK_LEASE.isOwner(2)} RETURNING id, org_id, is_enabled),
         recorded AS (${recordDelivery('delivered')}),
         passed AS (
           UPDATE ${DELIVERIES} AS d SET status = 'dropped' FROM changed
           WHERE d.webhook_id = changed.id AND d.status = 'retrying' AND d.position < $3::bigint)
         SELECT is_enabled FROM changed`,
  row: { is_enabled: 'bool' },
});
