import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameters: consumer, ids and fingerprints of messages. */
export const beginDeliveries = (schema: string) =>
  sql({
    text: `WITH given AS (
             SELECT message_id, fingerprint FROM unnest($2::text[], $3::text[]) AS of (message_id, fingerprint)
           ), noted AS (
             INSERT INTO ${qualified(schema, 'unfinished_deliveries')} (consumer, message_id)
             SELECT $1, message_id FROM given ORDER BY message_id
             ON CONFLICT DO NOTHING RETURNING message_id
           )
           SELECT given.message_id, noted.message_id IS NULL AS is_unfinished,
                  EXISTS (SELECT FROM ${qualified(schema, 'dead_letters')} AS letter
                          WHERE letter.consumer = $1 AND letter.fingerprint = given.fingerprint) AS is_set_aside
           FROM given LEFT JOIN noted USING (message_id)`,
    row: { message_id: 'text', is_unfinished: 'bool', is_set_aside: 'bool' },
  });
