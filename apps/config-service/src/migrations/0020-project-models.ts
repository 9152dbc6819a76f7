import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What a project chose itself, apart from the defaults that it follows. Until now there was nothing to choose. */
export class ProjectModels1763700000020 implements MigrationInterface {
  readonly name = 'ProjectModels1763700000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ${SCHEMA}.projects
        ADD COLUMN embedder        text NOT NULL DEFAULT '',
        ADD COLUMN reranker        text NOT NULL DEFAULT '',
        ADD COLUMN models_revision int  NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.projects DROP COLUMN embedder, DROP COLUMN reranker, DROP COLUMN models_revision`,
    );
  }
}
