import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** One message that a model always refuses kept everything that was said after it out of the summary of its project. */
export class RefusedSummaries1763700000344 implements MigrationInterface {
  readonly name = 'RefusedSummaries1763700000344';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.summaries ADD COLUMN halvings integer NOT NULL DEFAULT 0, ADD COLUMN refused_uid uuid,
         ADD COLUMN refusals integer NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.summaries DROP COLUMN halvings, DROP COLUMN refused_uid, DROP COLUMN refusals`,
    );
  }
}
