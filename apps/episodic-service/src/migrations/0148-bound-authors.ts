import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** An episode says whether its author speaks for its producer alone. */
export class BoundAuthors1763700000148 implements MigrationInterface {
  readonly name = 'BoundAuthors1763700000148';

  async up(runner: QueryRunner): Promise<void> {
    // what an older version wrote does not tell: it keeps the meaning that it had
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN is_bound boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN is_bound`);
  }
}
