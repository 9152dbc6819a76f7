import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameters: id, stream, consumer, subject, message id, payload, reason, deliveries, fingerprint or null. The same message is kept once. */
export const storeDeadLetter = (schema: string) =>
  sql({
    text: `INSERT INTO ${qualified(schema, 'dead_letters')}
             (id, stream, consumer, subject, message_id, payload, reason, deliveries, fingerprint)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           ON CONFLICT ON CONSTRAINT dead_letters_once
           DO UPDATE SET reason = excluded.reason, deliveries = excluded.deliveries,
                         fingerprint = excluded.fingerprint`,
  });
