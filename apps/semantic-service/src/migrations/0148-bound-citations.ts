import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A citation says whether the author of the episode speaks for its producer alone. */
export class BoundCitations1763700000148 implements MigrationInterface {
  readonly name = 'BoundCitations1763700000148';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.citations ADD COLUMN is_bound boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.citations DROP COLUMN is_bound`);
  }
}
