import { sql } from '@loci/persistence';
import { WEBHOOK_LEASE } from './webhook-lease.js';
import { WEBHOOKS } from './webhook-rows.js';

/** Parameters: the webhook, the fence. */
export const RELEASE_WEBHOOK = sql({
  text: `UPDATE ${WEBHOOKS} SET ${WEBHOOK_LEASE.released}, ${WEBHOOK_LEASE.ended}
         WHERE id = $1 AND ${WEBHOOK_LEASE.isOwner(2)}`,
});
