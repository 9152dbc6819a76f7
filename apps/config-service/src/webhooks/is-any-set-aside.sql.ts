import { sql } from '@loci/persistence';
import { WEBHOOK_LEASE } from './webhook-lease.js';
import { WEBHOOKS } from './webhook-rows.js';

/** Whether `DISABLE_SET_ASIDE` has anything to do: one statement at each look, where that takes a transaction. */
export const IS_ANY_SET_ASIDE = sql({
  text: `SELECT EXISTS (SELECT FROM ${WEBHOOKS} WHERE is_enabled AND ${WEBHOOK_LEASE.isSetAside}) AS is_any`,
  row: { is_any: 'bool' },
});
