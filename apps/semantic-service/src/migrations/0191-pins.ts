import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;

/** Clients pin features that come first where they are asked for. */
export class Pins1763700000191 implements MigrationInterface {
  readonly name = 'Pins1763700000191';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${FEATURES} ADD COLUMN is_pinned boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE INDEX features_pinned ON ${FEATURES} (set_uid) WHERE is_pinned AND deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${FEATURES} DROP COLUMN is_pinned`);
  }
}
