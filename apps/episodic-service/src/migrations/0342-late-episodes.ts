import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A message dated earlier that comes while a model writes was not in what it had read, and then taken to be in the text. */
export class LateEpisodes1763700000342 implements MigrationInterface {
  readonly name = 'LateEpisodes1763700000342';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.summaries ADD COLUMN late_from timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.summaries DROP COLUMN late_from`);
  }
}
