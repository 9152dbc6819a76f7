import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;
const COLLECTS = `fresh > 0 AND state IN ('idle', 'retrying')`;

/** A set that is to be consolidated waits for more messages first, so that consolidations add no calls. */
export class PutOffSets1763700000208 implements MigrationInterface {
  readonly name = 'PutOffSets1763700000208';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${JOBS} ADD COLUMN put_off int NOT NULL DEFAULT 0`);
    await runner.query(`DROP INDEX ${SCHEMA}.ingestion_jobs_many`);
    await runner.query(`CREATE INDEX ingestion_jobs_many ON ${JOBS} ((fresh - put_off)) WHERE ${COLLECTS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.ingestion_jobs_many`);
    await runner.query(`CREATE INDEX ingestion_jobs_many ON ${JOBS} (fresh) WHERE ${COLLECTS}`);
    await runner.query(`ALTER TABLE ${JOBS} DROP COLUMN put_off`);
  }
}
