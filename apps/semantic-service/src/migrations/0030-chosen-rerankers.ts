import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Searches order features by the reranker of their project. */
export class ChosenRerankers1763700000030 implements MigrationInterface {
  readonly name = 'ChosenRerankers1763700000030';

  async up(runner: QueryRunner): Promise<void> {
    // both NULL until the choice is heard of: events open projects without telling it
    await runner.query(`
      ALTER TABLE ${SCHEMA}.projects
        ADD COLUMN reranker        text,
        ADD COLUMN models_revision int`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.projects DROP COLUMN reranker, DROP COLUMN models_revision`);
  }
}
