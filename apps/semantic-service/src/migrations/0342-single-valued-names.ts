import { buildIndex, replaceIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLE = { schema: SCHEMA, table: 'features' };
const CONTESTABLE = { ...TABLE, name: 'features_contestable' };
const STANDS = 'superseded_by IS NULL AND deleted_at IS NULL';
const IS_CONTESTABLE = `WHERE is_single_valued IS NOT FALSE AND ${STANDS}`;

/** What contradicts a feature was looked for among all of its name; of those that may, no more are read than are shown. */
export class SingleValuedNames1763700000342 implements MigrationInterface {
  readonly name = 'SingleValuedNames1763700000342';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      ...TABLE,
      name: 'features_single_valued_name',
      definition: `(set_uid, name, subject, created_at, uid) WHERE is_single_valued AND ${STANDS}`,
    });
    await replaceIndex(runner, {
      ...CONTESTABLE,
      definition: `(set_uid, name, subject, created_at, uid) ${IS_CONTESTABLE}`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, { ...CONTESTABLE, definition: `(set_uid, name, subject) ${IS_CONTESTABLE}` });
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.features_single_valued_name`);
  }
}
