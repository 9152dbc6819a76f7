import { sql } from '../statements/sql-statement.js';

/** Parameter: the channel. */
export const NOTIFY_RELAYS = sql({ text: `SELECT pg_notify($1, '')`, row: { pg_notify: 'void' } });
