import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';

/** Creates the table of dead letters, for a migration. */
export async function createDeadLetterTable(runner: QueryRunner, schema: string): Promise<void> {
  const letters = qualified(schema, 'dead_letters');
  await runner.query(`
    CREATE TABLE ${letters} (
      id         uuid PRIMARY KEY,
      stream     text NOT NULL,
      consumer   text NOT NULL,
      subject    text NOT NULL,
      message_id text NOT NULL,
      payload    text NOT NULL,
      reason     text NOT NULL,
      deliveries integer NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT dead_letters_once UNIQUE (consumer, stream, message_id)
    )`);
  await runner.query(`CREATE INDEX dead_letters_newest ON ${letters} (created_at)`);
}
