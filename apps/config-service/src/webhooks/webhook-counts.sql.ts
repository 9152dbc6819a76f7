import { sql } from '@loci/persistence';
import { WEBHOOKS } from './webhook-rows.js';

/** How many webhooks are in which state. */
export const WEBHOOK_COUNTS = sql({
  text: `SELECT CASE WHEN NOT is_enabled AND disabled_reason IS NOT NULL THEN 'given_up' WHEN NOT is_enabled THEN 'disabled'
                     WHEN attempts > 0 THEN 'failing' ELSE 'ok' END AS state, count(*)::int AS webhooks
         FROM ${WEBHOOKS} GROUP BY 1`,
  row: { state: 'text', webhooks: 'int4' },
});
