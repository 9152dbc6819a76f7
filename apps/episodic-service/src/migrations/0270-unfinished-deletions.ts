import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const DELETIONS = `${SCHEMA}.deletions`;

/** A deletion whose step ends its process is set aside. */
export class UnfinishedDeletions1763700000270 implements MigrationInterface {
  readonly name = 'UnfinishedDeletions1763700000270';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ${DELETIONS}
        ADD COLUMN lease_until timestamptz,
        ADD COLUMN unfinished  integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${DELETIONS} DROP COLUMN lease_until, DROP COLUMN unfinished`);
  }
}
