import { enableRowSecurity, ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Projects have embedders of their own, and move from one to another. */
export class IndexSpaces1763700000020 implements MigrationInterface {
  readonly name = 'IndexSpaces1763700000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ${SCHEMA}.projects
        ADD COLUMN embedder        text NOT NULL DEFAULT '',
        ADD COLUMN reranker        text NOT NULL DEFAULT '',
        ADD COLUMN models_revision int  NOT NULL DEFAULT 0`);
    await runner.query(`
      CREATE TABLE ${SCHEMA}.index_collections (
        fingerprint text PRIMARY KEY,
        dimensions  int NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE ${SCHEMA}.index_spaces (
        uid         uuid PRIMARY KEY,
        project_uid uuid NOT NULL REFERENCES ${SCHEMA}.projects (uid) ON DELETE CASCADE,
        fingerprint text NOT NULL REFERENCES ${SCHEMA}.index_collections (fingerprint),
        dimensions  int NOT NULL,
        -- its name in the registry
        embedder    text NOT NULL,
        state       text NOT NULL CHECK (state IN ('active', 'building', 'retiring')),
        changed_at  timestamptz NOT NULL DEFAULT now(),
        -- of whoever builds it; also the end of a pause
        lease_until timestamptz,
        episodes    int NOT NULL DEFAULT 0,
        carried     int NOT NULL DEFAULT 0,
        problem     text
      )`);
    for (const state of ['active', 'building']) {
      await runner.query(
        `CREATE UNIQUE INDEX index_spaces_${state} ON ${SCHEMA}.index_spaces (project_uid) WHERE state = '${state}'`,
      );
    }
    await runner.query(`CREATE INDEX index_spaces_project ON ${SCHEMA}.index_spaces (project_uid)`);
    await runner.query(`CREATE INDEX index_spaces_fingerprint ON ${SCHEMA}.index_spaces (fingerprint)`);
    await runner.query(
      `CREATE INDEX index_spaces_changing ON ${SCHEMA}.index_spaces (changed_at) WHERE state <> 'active'`,
    );
    // the space that the episode was carried to last, whether that is being built or active by now
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN carried_to uuid`);
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'index_spaces', tenant: 'project_uid::text' });
    await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
    // no project has a space yet, so nothing is in one
    await runner.query(`UPDATE ${SCHEMA}.episodes SET indexed_at = NULL WHERE indexed_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN carried_to`);
    await runner.query(`DROP TABLE ${SCHEMA}.index_spaces`);
    await runner.query(`DROP TABLE ${SCHEMA}.index_collections`);
    await runner.query(
      `ALTER TABLE ${SCHEMA}.projects DROP COLUMN embedder, DROP COLUMN reranker, DROP COLUMN models_revision`,
    );
  }
}
