import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A summary that is written anew begins shortly before the window, and finds the messages that are marked as being in it. */
export class SummaryBeginnings1763700000330 implements MigrationInterface {
  readonly name = 'SummaryBeginnings1763700000330';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ${SCHEMA}.summaries
        ADD COLUMN IF NOT EXISTS begins_at  timestamptz,
        ADD COLUMN IF NOT EXISTS begins_uid uuid`);
    await buildIndex(runner, {
      schema: SCHEMA,
      table: 'episodes',
      name: 'episodes_in_summary',
      definition: '(project_uid) WHERE in_summary',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.episodes_in_summary`);
    await runner.query(`ALTER TABLE ${SCHEMA}.summaries DROP COLUMN begins_at, DROP COLUMN begins_uid`);
  }
}
