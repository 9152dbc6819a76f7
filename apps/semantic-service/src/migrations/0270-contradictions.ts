import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;

/** Features name those that a consolidation found to contradict them, under whatever tags and names. */
export class Contradictions1763700000270 implements MigrationInterface {
  readonly name = 'Contradictions1763700000270';

  async up(runner: QueryRunner): Promise<void> {
    // NULL: none was found
    await runner.query(`ALTER TABLE ${FEATURES} ADD COLUMN contradicts uuid[]`);
    await runner.query(`
      CREATE INDEX features_contradicting ON ${FEATURES} (org_id, project_uid)
      WHERE contradicts IS NOT NULL AND superseded_by IS NULL AND deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${FEATURES} DROP COLUMN contradicts`);
  }
}
