import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;

/** Messages that nothing can learn from for now are counted, and found again in the order of adding. */
export class DeferredMessages1763700000210 implements MigrationInterface {
  readonly name = 'DeferredMessages1763700000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${JOBS} ADD COLUMN deferred int NOT NULL DEFAULT 0, ADD COLUMN deferred_since timestamptz,
         ADD CONSTRAINT ingestion_jobs_deferred_check
           CHECK (deferred >= 0 AND (deferred > 0) = (deferred_since IS NOT NULL))`,
    );
    await runner.query(`CREATE INDEX ingestion_jobs_deferred ON ${JOBS} (deferred_since) WHERE deferred > 0`);
    await runner.query(
      `CREATE INDEX sets_with_model ON ${SCHEMA}.sets (llm_name) WHERE llm_name IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.sets_with_model`);
    await runner.query(`ALTER TABLE ${JOBS} DROP COLUMN deferred_since, DROP COLUMN deferred`);
  }
}
