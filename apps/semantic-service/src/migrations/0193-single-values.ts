import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;

/** Features say whether their name has one value at a time, so that contradictions can be told. */
export class SingleValues1763700000193 implements MigrationInterface {
  readonly name = 'SingleValues1763700000193';

  async up(runner: QueryRunner): Promise<void> {
    // NULL: nothing says so
    await runner.query(`ALTER TABLE ${FEATURES} ADD COLUMN is_single_valued boolean`);
    await runner.query(`
      CREATE INDEX features_contestable ON ${FEATURES} (set_uid, name, subject)
      WHERE is_single_valued IS NOT FALSE AND superseded_by IS NULL AND deleted_at IS NULL`);
    await runner.query(`
      CREATE INDEX features_single_valued ON ${FEATURES} (org_id, project_uid)
      WHERE is_single_valued AND superseded_by IS NULL AND deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${FEATURES} DROP COLUMN is_single_valued`);
  }
}
