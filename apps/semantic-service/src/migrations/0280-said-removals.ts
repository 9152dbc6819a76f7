import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const HISTORY = `${SCHEMA}.feature_history`;

/** History knows which messages said that a removed feature was never true: when these are gone, it comes back. */
export class SaidRemovals1763700000280 implements MigrationInterface {
  readonly name = 'SaidRemovals1763700000280';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${HISTORY} ADD COLUMN said_by jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${HISTORY} DROP COLUMN said_by`);
  }
}
