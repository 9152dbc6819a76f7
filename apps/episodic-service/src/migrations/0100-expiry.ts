import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** An episode can have an end, and a project can give one to every episode. */
export class Expiry1763700000100 implements MigrationInterface {
  readonly name = 'Expiry1763700000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN expires_at timestamptz`);
    await runner.query(
      `CREATE INDEX episodes_expiring ON ${SCHEMA}.episodes (expires_at)
       WHERE expires_at IS NOT NULL AND deleted_at IS NULL`,
    );
    await runner.query(`ALTER TABLE ${SCHEMA}.projects ADD COLUMN ttl_seconds integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.projects DROP COLUMN ttl_seconds`);
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN expires_at`);
  }
}
