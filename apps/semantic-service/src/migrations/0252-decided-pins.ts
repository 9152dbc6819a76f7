import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;

/** Features know whether a client decided last whether they are pinned: undo of a merge leaves such a pin. */
export class DecidedPins1763700000252 implements MigrationInterface {
  readonly name = 'DecidedPins1763700000252';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${FEATURES} ADD COLUMN is_pin_by_client boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${FEATURES} DROP COLUMN is_pin_by_client`);
  }
}
