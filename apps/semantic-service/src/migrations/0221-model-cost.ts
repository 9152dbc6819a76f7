import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLE = `${SCHEMA}.model_quota_use`;

/** What the calls of a day cost, to compare with the quota of an organization. */
export class ModelCost1763700000221 implements MigrationInterface {
  readonly name = 'ModelCost1763700000221';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN cost numeric NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN cost`);
  }
}
