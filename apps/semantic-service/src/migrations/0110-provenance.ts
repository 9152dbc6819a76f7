import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;
const CONTENT = 'set_uid, md5(category), md5(tag), md5(name), md5(value)';

/** Features say where they come from, and sets are divided by whose messages support them. */
export class Provenance1763700000110 implements MigrationInterface {
  readonly name = 'Provenance1763700000110';

  async up(runner: QueryRunner): Promise<void> {
    // `origin` is NULL in what an older version wrote: `by_client` tells a client from an ingestion then
    await runner.query(`
      ALTER TABLE ${FEATURES}
        ADD COLUMN is_trusted         boolean NOT NULL DEFAULT true,
        ADD COLUMN source_project_uid uuid,
        ADD COLUMN origin             jsonb`);
    // in sets of organizations; what several projects support stays as it is, and no ingestion changes it
    await runner.query(`
      UPDATE ${FEATURES} AS feature SET source_project_uid = source.project_uid
      FROM (SELECT feature_uid, min(project_uid::text)::uuid AS project_uid FROM ${SCHEMA}.citations
            GROUP BY feature_uid HAVING count(DISTINCT project_uid) = 1) AS source
      WHERE feature.project_uid IS NULL AND feature.uid = source.feature_uid`);
    await runner.query(`DROP INDEX ${SCHEMA}.features_once`);
    await runner.query(`
      CREATE UNIQUE INDEX features_once ON ${FEATURES} (${CONTENT}, source_project_uid, is_trusted)
      NULLS NOT DISTINCT WHERE deleted_at IS NULL`);
    await runner.query(`ALTER TABLE ${SCHEMA}.feature_history ADD COLUMN author jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.feature_history DROP COLUMN author`);
    await runner.query(`DROP INDEX ${SCHEMA}.features_once`);
    await runner.query(
      `ALTER TABLE ${FEATURES} DROP COLUMN origin, DROP COLUMN source_project_uid, DROP COLUMN is_trusted`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX features_once ON ${FEATURES} (${CONTENT}) WHERE deleted_at IS NULL`,
    );
  }
}
