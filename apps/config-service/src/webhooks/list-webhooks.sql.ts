import { sql } from '@loci/persistence';
import { FROM_WEBHOOKS, IS_WITHIN, WEBHOOK_COLUMNS, WEBHOOK_ROW } from './webhook-rows.js';

/** Oldest first. Parameters: as `IS_WITHIN`, how many to leave out, how many at most. */
export const LIST_WEBHOOKS = sql({
  text: `SELECT ${WEBHOOK_COLUMNS} FROM ${FROM_WEBHOOKS} WHERE ${IS_WITHIN} ORDER BY w.id OFFSET $3 LIMIT $4`,
  row: WEBHOOK_ROW,
});
