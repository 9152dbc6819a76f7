import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameters: the subject, the headers, the messages as JSON. */
export const appendMessages = (schema: string) =>
  sql({
    name: 'append_messages',
    text: `INSERT INTO ${qualified(schema, 'outbox')} (id, subject, payload, headers)
           SELECT id, $1::text, payload, $2::jsonb FROM jsonb_to_recordset($3::jsonb) AS given(id uuid, payload jsonb)`,
  });
