import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameter: ids of messages. */
export const markMessagesSent = (schema: string) =>
  sql({ text: `UPDATE ${qualified(schema, 'outbox')} SET sent_at = now() WHERE id = ANY($1::uuid[])` });
