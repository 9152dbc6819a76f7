import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;

/** Passes over a set that began and did not end in order, in a row. */
export class UnfinishedPasses1763700000103 implements MigrationInterface {
  readonly name = 'UnfinishedPasses1763700000103';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${JOBS} ADD COLUMN unfinished integer NOT NULL DEFAULT 0 CHECK (unfinished >= 0)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${JOBS} DROP COLUMN unfinished`);
  }
}
