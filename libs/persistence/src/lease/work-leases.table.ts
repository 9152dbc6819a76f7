import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';

/** Creates the table of leases of work that has no row of its own, for a migration. */
export async function createWorkLeaseTable(runner: QueryRunner, schema: string): Promise<void> {
  await runner.query(`
    CREATE TABLE ${qualified(schema, 'work_leases')} (
      kind        text NOT NULL,
      key         text NOT NULL,
      lease_until timestamptz,
      token       uuid,
      unfinished  integer NOT NULL DEFAULT 0,
      PRIMARY KEY (kind, key)
    )`);
}
