import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** How many seconds the oldest message waits; no row when none does. */
export const oldestUnsentMessage = (schema: string) =>
  sql({
    text: `SELECT coalesce(extract(epoch FROM now() - created_at), 0)::float AS age
           FROM ${qualified(schema, 'outbox')} WHERE sent_at IS NULL ORDER BY id LIMIT 1`,
    row: { age: 'float8' },
  });
