import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameters: consumer, ids of messages. */
export const takeBackDeliveries = (schema: string) =>
  sql({
    text: `DELETE FROM ${qualified(schema, 'unfinished_deliveries')}
           WHERE consumer = $1 AND message_id = ANY($2::text[])`,
  });
