import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LAST_TRY, WEBHOOK_LEASE } from './webhook-lease.js';
import { FROM_WEBHOOKS, HAS_NEWS } from './webhook-rows.js';

/**
 * Which webhooks have something to get, and no process that delivers to them. First those with one try left before they are
 * set aside, then those that took their last delivery, then the others. Among these, what ended its process comes last, and the
 * second webhook of an organization behind the first of each other one: an organization whose deliveries are all under way must
 * not fill the list. Parameters: how many of an organization, how many in all.
 */
export const DUE_WEBHOOKS = sql({
  text: `SELECT id, org_id, is_failing, is_last_try FROM (
           SELECT w.id, w.org_id, w.attempts > 0 AS is_failing, w.unfinished, w.next_attempt_at,
                  ${IS_LAST_TRY} AS is_last_try,
                  row_number() OVER (PARTITION BY w.org_id, w.attempts > 0
                                     ORDER BY ${IS_LAST_TRY} DESC, w.unfinished, w.next_attempt_at, w.id) AS turn
           FROM ${FROM_WEBHOOKS} CROSS JOIN ${SCHEMA}.notification_head AS head
           WHERE w.is_enabled AND p.deleted_at IS NULL AND w.next_attempt_at <= now() AND ${WEBHOOK_LEASE.isFree}
             AND ${WEBHOOK_LEASE.mayBegin}
             AND w.position < head.position AND ${HAS_NEWS}) AS due
         WHERE turn <= $1 ORDER BY is_last_try DESC, is_failing, unfinished, turn, next_attempt_at, id LIMIT $2`,
  row: { id: 'uuid', org_id: 'text?', is_failing: 'bool', is_last_try: 'bool' },
});
