import { sql } from '@loci/persistence';
import { FROM_WEBHOOKS, IS_WITHIN } from './webhook-rows.js';

/** Parameters: as `IS_WITHIN`. */
export const COUNT_WEBHOOKS = sql({
  text: `SELECT count(*)::int AS total FROM ${FROM_WEBHOOKS} WHERE ${IS_WITHIN}`,
  row: { total: 'int4' },
});
