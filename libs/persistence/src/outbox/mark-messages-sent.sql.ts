import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameter: ids of messages. */
export const markMessagesSent = (schema: string) =>
  sql({
    name: 'mark_messages_sent',
    text: `UPDATE ${qualified(schema, 'outbox')} SET sent_at = now() WHERE id = ANY($1::uuid[])`,
  });
