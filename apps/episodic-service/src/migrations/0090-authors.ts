import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** An episode says who wrote it: `api-key:<id>`, `user:<subject>` or `static-token:<name>`. */
export class Authors1763700000090 implements MigrationInterface {
  readonly name = 'Authors1763700000090';

  async up(runner: QueryRunner): Promise<void> {
    // NULL where nobody had to say who they are, and in what an older version wrote
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN author text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN author`);
  }
}
