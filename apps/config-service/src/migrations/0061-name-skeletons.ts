import { ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';
import { fillSkeletons } from '../names/fill-skeletons.js';

/** Names that look alike already stay as they are, so no index is unique. */
export class NameSkeletons1763700000061 implements MigrationInterface {
  readonly name = 'NameSkeletons1763700000061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
    await runner.query(`
      ALTER TABLE ${SCHEMA}.projects
        -- null: made by a process of the version before, until the next start
        ADD COLUMN org_skeleton     text,
        ADD COLUMN project_skeleton text`);
    await runner.query(
      `CREATE INDEX projects_by_organization_skeleton ON ${SCHEMA}.projects (org_skeleton, org_id)`,
    );
    await runner.query(
      `CREATE INDEX projects_by_skeleton ON ${SCHEMA}.projects (org_id, project_skeleton, project_id)`,
    );
    await runner.query(
      `CREATE INDEX projects_without_skeleton ON ${SCHEMA}.projects (uid) WHERE project_skeleton IS NULL`,
    );
    await fillSkeletons((step) => step(runner.manager));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.projects DROP COLUMN org_skeleton, DROP COLUMN project_skeleton`,
    );
  }
}
