import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Attempts to write a summary that began and did not end in order, in a row. */
export class UnfinishedSummaries1763700000096 implements MigrationInterface {
  readonly name = 'UnfinishedSummaries1763700000096';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.summaries ADD COLUMN unfinished integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.summaries DROP COLUMN unfinished`);
  }
}
