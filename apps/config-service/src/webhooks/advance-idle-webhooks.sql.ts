import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { WEBHOOK_LEASE } from './webhook-lease.js';
import { HAS_NEWS, WEBHOOKS } from './webhook-rows.js';

/**
 * Webhooks for which there was nothing move on, so that what is not for them is not read again and again. Parameter: by how
 * much they are behind, in microseconds.
 */
export const ADVANCE_IDLE_WEBHOOKS = sql({
  text: `UPDATE ${WEBHOOKS} AS w SET position = head.position FROM ${SCHEMA}.notification_head AS head
         WHERE w.is_enabled AND w.position < head.position - $1::bigint AND ${WEBHOOK_LEASE.isFree} AND NOT ${HAS_NEWS}`,
});
