import { sql } from '@loci/persistence';
import { FROM_NOTIFICATIONS, IS_WITHIN } from './notification-rows.js';

/** Where the last one is; no row without one. Parameters: as `IS_WITHIN`. */
export const LAST_NOTIFICATION = sql({
  text: `SELECT n.position FROM ${FROM_NOTIFICATIONS} WHERE ${IS_WITHIN} ORDER BY n.position DESC LIMIT 1`,
  row: { position: 'int8' },
});
