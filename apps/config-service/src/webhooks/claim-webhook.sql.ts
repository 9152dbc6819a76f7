import { type NotificationType } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { WEBHOOK_LEASE } from './webhook-lease.js';
import { WEBHOOKS } from './webhook-rows.js';

/** No row when another process was faster. Parameters: the webhook, milliseconds. */
export const CLAIM_WEBHOOK = sql({
  text: `UPDATE ${WEBHOOKS} SET ${WEBHOOK_LEASE.claimed(2)}, ${WEBHOOK_LEASE.begun}
         WHERE id = $1 AND is_enabled AND next_attempt_at <= now() AND ${WEBHOOK_LEASE.isFree} AND ${WEBHOOK_LEASE.mayBegin}
         RETURNING id, org_id, project_uid, url, types, secret,
           CASE WHEN former_expires_at > now() THEN former_secret END AS former_secret,
           position, attempts, failing_since, ${WEBHOOK_LEASE.token} AS token`,
  row: {
    id: 'uuid',
    org_id: 'text?',
    project_uid: 'uuid?',
    url: 'text',
    types: narrowed<NotificationType[]>('text[]?'),
    secret: 'text',
    former_secret: 'text?',
    position: 'int8',
    attempts: 'int4',
    failing_since: 'timestamptz?',
    token: 'text',
  },
});
