import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Projects say for how long the calls of models are kept, and whether with their texts. */
export class KeptCalls1763700000206 implements MigrationInterface {
  readonly name = 'KeptCalls1763700000206';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ${SCHEMA}.projects
        ADD COLUMN keep_calls_days int NOT NULL DEFAULT 7
          CONSTRAINT projects_keep_calls_days_check CHECK (keep_calls_days >= 0),
        ADD COLUMN keep_call_texts boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.projects DROP COLUMN keep_calls_days, DROP COLUMN keep_call_texts`,
    );
  }
}
