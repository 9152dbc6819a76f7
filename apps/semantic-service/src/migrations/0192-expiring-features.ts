import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Features of a category that has a time to live expire unless they are said again. */
export class ExpiringFeatures1763700000192 implements MigrationInterface {
  readonly name = 'ExpiringFeatures1763700000192';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ${SCHEMA}.categories
        ADD COLUMN ttl_seconds int CONSTRAINT categories_ttl_seconds_check CHECK (ttl_seconds > 0)`);
    await runner.query(`ALTER TABLE ${SCHEMA}.features ADD COLUMN expires_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.features DROP COLUMN expires_at`);
    await runner.query(`ALTER TABLE ${SCHEMA}.categories DROP COLUMN ttl_seconds`);
  }
}
