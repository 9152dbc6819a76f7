import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';

/** Creates the table of deliveries that have begun, and says of dead letters which of them ended their process; for a migration. */
export async function createUnfinishedDeliveriesTable(runner: QueryRunner, schema: string): Promise<void> {
  const letters = qualified(schema, 'dead_letters');
  await runner.query(`
    CREATE TABLE ${qualified(schema, 'unfinished_deliveries')} (
      consumer   text NOT NULL,
      message_id text NOT NULL,
      attempts   integer NOT NULL DEFAULT 1,
      noted_at   timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (consumer, message_id)
    )`);
  await runner.query(`ALTER TABLE ${letters} ADD COLUMN fingerprint text`);
  await runner.query(
    `CREATE INDEX dead_letters_set_aside ON ${letters} (consumer, fingerprint) WHERE fingerprint IS NOT NULL`,
  );
}

/** Undoes it, for a migration. */
export async function dropUnfinishedDeliveriesTable(runner: QueryRunner, schema: string): Promise<void> {
  await runner.query(`DROP TABLE ${qualified(schema, 'unfinished_deliveries')}`);
  await runner.query(`ALTER TABLE ${qualified(schema, 'dead_letters')} DROP COLUMN fingerprint`);
}
