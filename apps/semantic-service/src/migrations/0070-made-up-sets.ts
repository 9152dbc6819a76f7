import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Sets under ids that clients made up: their ids do not follow from their tags. */
export class MadeUpSets1763700000070 implements MigrationInterface {
  readonly name = 'MadeUpSets1763700000070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.sets ADD COLUMN is_made_up boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.sets DROP COLUMN is_made_up`);
  }
}
