import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A dead letter may be about single commands of a reply: the messages behind them are ingested but for these. */
export class RefusedCommands1763700000090 implements MigrationInterface {
  readonly name = 'RefusedCommands1763700000090';

  async up(runner: QueryRunner): Promise<void> {
    // NULL where whole messages were given up, and once one of the messages is deleted
    await runner.query(`ALTER TABLE ${SCHEMA}.ingestion_dead_letters ADD COLUMN commands jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.ingestion_dead_letters DROP COLUMN commands`);
  }
}
