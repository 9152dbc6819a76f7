import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;

/** Features name those that a consolidation found to contradict them, under whatever tags and names. Begun again, it does what is left. */
export class Contradictions1763700000270 implements MigrationInterface {
  readonly name = 'Contradictions1763700000270';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // NULL: none was found
    await runner.query(`ALTER TABLE ${FEATURES} ADD COLUMN IF NOT EXISTS contradicts uuid[]`);
    await buildIndex(runner, {
      ...{ schema: SCHEMA, table: 'features', name: 'features_contradicting' },
      definition:
        '(org_id, project_uid) WHERE contradicts IS NOT NULL AND superseded_by IS NULL AND deleted_at IS NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${FEATURES} DROP COLUMN contradicts`);
  }
}
