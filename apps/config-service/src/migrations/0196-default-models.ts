import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Models that were there before were never asked to be the default, so that they are not. */
export class DefaultModels1763700000196 implements MigrationInterface {
  readonly name = 'DefaultModels1763700000196';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.resources ADD COLUMN may_be_default boolean NOT NULL DEFAULT false`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.resources DROP COLUMN may_be_default`);
  }
}
