import { disableRowSecurity, enableRowSecurity, ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { noteUsedNames } from '../names/note-names.js';
import { SCHEMA } from '../database.js';

/** An organization is there from its first key on, not from its first project. */
export class BoundNames1763700000270 implements MigrationInterface {
  readonly name = 'BoundNames1763700000270';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
    await runner.query(`
      CREATE TABLE ${SCHEMA}.bound_names (
        org_id     text NOT NULL,
        -- '': the organization itself
        project_id text NOT NULL,
        skeleton   text NOT NULL,
        PRIMARY KEY (org_id, project_id)
      )`);
    await runner.query(
      `CREATE INDEX bound_names_by_skeleton ON ${SCHEMA}.bound_names (skeleton, org_id, project_id)`,
    );
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'bound_names', tenant: 'org_id' });
    await noteUsedNames((step) => step(runner.manager));
  }

  async down(runner: QueryRunner): Promise<void> {
    await disableRowSecurity(runner, { schema: SCHEMA, table: 'bound_names' });
    await runner.query(`DROP TABLE ${SCHEMA}.bound_names`);
  }
}
