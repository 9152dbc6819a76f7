import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/**
 * An episode that is deleted may be imported again under its uid. What is kept of it says when it was added, so that a
 * deletion ends what was there until then, and nothing that came later.
 */
export class LaterLives1763700000040 implements MigrationInterface {
  readonly name = 'LaterLives1763700000040';

  async up(runner: QueryRunner): Promise<void> {
    // NULL in what was written by an older version: added before anything that is known
    for (const table of ['citations', 'ingestion_messages']) {
      await runner.query(`ALTER TABLE ${SCHEMA}.${table} ADD COLUMN added_at timestamptz`);
    }
    await runner.query(`
      ALTER TABLE ${SCHEMA}.deleted_episodes ADD COLUMN added_until timestamptz NOT NULL DEFAULT now()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.deleted_episodes DROP COLUMN added_until`);
    for (const table of ['citations', 'ingestion_messages']) {
      await runner.query(`ALTER TABLE ${SCHEMA}.${table} DROP COLUMN added_at`);
    }
  }
}
