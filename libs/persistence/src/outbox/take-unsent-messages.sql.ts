import { type HeaderFields } from '@loci/messaging';
import { qualified } from '../statements/qualified-name.js';
import { narrowed } from '../statements/row-columns.js';
import { sql } from '../statements/sql-statement.js';

/** The oldest messages that no other relay is sending. Parameters: how many at most, subjects of which none are taken. */
export const takeUnsentMessages = (schema: string) =>
  sql({
    name: 'take_unsent_messages',
    text: `SELECT id, subject, payload::text AS payload, headers FROM ${qualified(schema, 'outbox')}
           WHERE sent_at IS NULL AND subject <> ALL ($2::text[]) ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    row: { id: 'uuid', subject: 'text', payload: 'text', headers: narrowed<HeaderFields>('jsonb') },
  });
