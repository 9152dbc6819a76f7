import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';

/**
 * Creates the table of messages that wait to be relayed, for a migration. Rows come and go quickly, so it is vacuumed
 * long before a fifth of it is dead.
 */
export async function createOutboxTable(runner: QueryRunner, schema: string): Promise<void> {
  const outbox = qualified(schema, 'outbox');
  await runner.query(`
    CREATE TABLE ${outbox} (
      id         uuid PRIMARY KEY,
      subject    text NOT NULL,
      payload    jsonb NOT NULL,
      headers    jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      sent_at    timestamptz
    ) WITH (autovacuum_vacuum_scale_factor = 0.02)`);
  await runner.query(`CREATE INDEX outbox_unsent ON ${outbox} (id) WHERE sent_at IS NULL`);
  await runner.query(`CREATE INDEX outbox_sent ON ${outbox} (sent_at) WHERE sent_at IS NOT NULL`);
}
