import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;
const CONTENT =
  'set_uid, md5(category), md5(tag), md5(name), md5(value), md5(subject), source_project_uid, is_trusted';
const PRECISION = `IN ('year', 'month', 'day', 'time')`;

/** Features say when they hold, and what replaced them: one that ended is kept. */
export class Validity1763700000150 implements MigrationInterface {
  readonly name = 'Validity1763700000150';

  async up(runner: QueryRunner): Promise<void> {
    // `recorded_at` is NULL in what an older version wrote: what it says was stored with it, as far as is known
    await runner.query(`
      ALTER TABLE ${FEATURES}
        ADD COLUMN valid_from            timestamptz,
        ADD COLUMN valid_from_precision  text CHECK (valid_from_precision ${PRECISION}),
        ADD COLUMN valid_until           timestamptz,
        ADD COLUMN valid_until_precision text CHECK (valid_until_precision ${PRECISION}),
        ADD COLUMN superseded_by         uuid,
        ADD COLUMN dates                 jsonb,
        ADD COLUMN recorded_at           timestamptz`);
    await runner.query(`DROP INDEX ${SCHEMA}.features_once`);
    await runner.query(`
      CREATE UNIQUE INDEX features_once ON ${FEATURES} (${CONTENT}, valid_until)
      NULLS NOT DISTINCT WHERE deleted_at IS NULL`);
    await runner.query(`
      CREATE INDEX features_dates ON ${FEATURES} USING gin (dates jsonb_path_ops)
      WHERE dates IS NOT NULL AND deleted_at IS NULL`);
    await runner.query(`ALTER TABLE ${SCHEMA}.proposals ADD COLUMN validity jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.proposals DROP COLUMN validity`);
    // an older version would show them as what holds; their vectors go with the tombstones
    await runner.query(`
      UPDATE ${FEATURES} SET deleted_at = now(), indexed_at = NULL, ordered_at = NULL
      WHERE valid_until <= now() AND deleted_at IS NULL`);
    await runner.query(`DROP INDEX ${SCHEMA}.features_dates`);
    await runner.query(`DROP INDEX ${SCHEMA}.features_once`);
    await runner.query(`
      ALTER TABLE ${FEATURES}
        DROP COLUMN recorded_at, DROP COLUMN dates, DROP COLUMN superseded_by,
        DROP COLUMN valid_until_precision, DROP COLUMN valid_until,
        DROP COLUMN valid_from_precision, DROP COLUMN valid_from`);
    await runner.query(`
      CREATE UNIQUE INDEX features_once ON ${FEATURES} (${CONTENT}) NULLS NOT DISTINCT WHERE deleted_at IS NULL`);
  }
}
