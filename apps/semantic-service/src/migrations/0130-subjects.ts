import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;
const PROPOSALS = `${SCHEMA}.proposals`;
const CONTENT = 'set_uid, md5(category), md5(tag), md5(name), md5(value)';
const PROPOSED = 'set_uid, md5(category), command, md5(tag), md5(name), md5(value)';

/** Features say whom they are about. Projects that exist keep facts without subjects until they are switched. */
export class Subjects1763700000130 implements MigrationInterface {
  readonly name = 'Subjects1763700000130';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ${SCHEMA}.projects
        ADD COLUMN facts_of text NOT NULL DEFAULT 'project' CHECK (facts_of IN ('users', 'project'))`);
    await runner.query(`ALTER TABLE ${SCHEMA}.projects ALTER COLUMN facts_of SET DEFAULT 'users'`);
    await runner.query(`ALTER TABLE ${FEATURES} ADD COLUMN subject text`);
    await runner.query(`
      CREATE INDEX features_of_subject ON ${FEATURES} (set_uid, subject, category) WHERE deleted_at IS NULL`);
    await runner.query(`DROP INDEX ${SCHEMA}.features_once`);
    await runner.query(`
      CREATE UNIQUE INDEX features_once ON ${FEATURES} (${CONTENT}, md5(subject), source_project_uid, is_trusted)
      NULLS NOT DISTINCT WHERE deleted_at IS NULL`);
    await runner.query(`ALTER TABLE ${PROPOSALS} ADD COLUMN subject text`);
    await runner.query(`DROP INDEX ${SCHEMA}.proposals_once`);
    await runner.query(`
      CREATE UNIQUE INDEX proposals_once ON ${PROPOSALS} (${PROPOSED}, source_project_uid, md5(subject))
      NULLS NOT DISTINCT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM ${PROPOSALS} WHERE subject IS NOT NULL`);
    await runner.query(`DROP INDEX ${SCHEMA}.proposals_once`);
    await runner.query(`ALTER TABLE ${PROPOSALS} DROP COLUMN subject`);
    await runner.query(`
      CREATE UNIQUE INDEX proposals_once ON ${PROPOSALS} (${PROPOSED}, source_project_uid) NULLS NOT DISTINCT`);
    await runner.query(`DROP INDEX ${SCHEMA}.features_once`);
    await runner.query(`
      UPDATE ${FEATURES} SET name = left(name || ' of ' || subject, 255) WHERE subject <> ''`);
    await runner.query(`ALTER TABLE ${FEATURES} DROP COLUMN subject`);
    await runner.query(`
      CREATE UNIQUE INDEX features_once ON ${FEATURES} (${CONTENT}, source_project_uid, is_trusted)
      NULLS NOT DISTINCT WHERE deleted_at IS NULL`);
    await runner.query(`ALTER TABLE ${SCHEMA}.projects DROP COLUMN facts_of`);
  }
}
