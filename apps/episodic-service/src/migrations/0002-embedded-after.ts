import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Of which previous turn the vector of an episode tells. */
export class EmbeddedAfter1763700000002 implements MigrationInterface {
  readonly name = 'EmbeddedAfter1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN embedded_after uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN embedded_after`);
  }
}
