import { sql } from '../statements/sql-statement.js';
import { removeBatch } from './expired-rows.js';

/** Sent messages are kept so that an operator can see what was announced, and when. */
const SENT_RETENTION_HOURS = 24;

export const removeSentMessages = (schema: string) =>
  sql({
    text: removeBatch(schema, 'outbox', `sent_at < now() - interval '${SENT_RETENTION_HOURS} hours'`),
    row: { count: 'int4' },
  });
