import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;

/**
 * The rows of messages that were learned from are removed, in the sequence in which they were done, and counted. There are
 * as many rows as messages were learned: the index is built while intake goes on.
 */
export class LearnedMessages1763700000220 implements MigrationInterface {
  readonly name = 'LearnedMessages1763700000220';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${JOBS} ADD COLUMN IF NOT EXISTS learned int NOT NULL DEFAULT 0`);
    await buildIndex(runner, {
      schema: SCHEMA,
      table: 'ingestion_messages',
      name: 'ingestion_messages_done',
      definition: '(done_at, set_uid, episode_uid) WHERE done_at IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.ingestion_messages_done`);
    await runner.query(`ALTER TABLE ${JOBS} DROP COLUMN learned`);
  }
}
