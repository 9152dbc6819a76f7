import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What an imported episode brings along for semantic memory, which asks for it when it takes the episode in. */
export class Arrivals1763700000040 implements MigrationInterface {
  readonly name = 'Arrivals1763700000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN ingested jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN ingested`);
  }
}
