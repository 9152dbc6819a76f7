import { createIndexVersionTables } from '@loci/indexing';
import { ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';
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
    await createIndexVersionTables(runner, {
      schema: SCHEMA,
      owners: 'projects',
      tenant: 'owner_uid::text',
    });
    // the space that the episode was carried to last, whether that is being built or active by now
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN carried_to uuid`);
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
