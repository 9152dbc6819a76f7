import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameters: consumer, id of a message. */
export const beginDeliveryAgain = (schema: string) =>
  sql({
    text: `INSERT INTO ${qualified(schema, 'unfinished_deliveries')} AS noted (consumer, message_id)
           VALUES ($1, $2)
           ON CONFLICT (consumer, message_id) DO UPDATE SET attempts = noted.attempts + 1, noted_at = now()
           RETURNING attempts`,
    row: { attempts: 'int4' },
  });
