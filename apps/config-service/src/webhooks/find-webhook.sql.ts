import { sql } from '@loci/persistence';
import { FROM_WEBHOOKS, IS_WITHIN, WEBHOOK_COLUMNS, WEBHOOK_ROW } from './webhook-rows.js';

const FOUND = `SELECT ${WEBHOOK_COLUMNS} FROM ${FROM_WEBHOOKS} WHERE ${IS_WITHIN} AND w.id = $3`;

/** Parameters: as `IS_WITHIN`, the webhook. */
export const FIND_WEBHOOK = sql({ text: FOUND, row: WEBHOOK_ROW });
