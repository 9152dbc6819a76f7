import { buildIndex, replaceIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLE = { schema: SCHEMA, table: 'episodes' };
const WAITING = { ...TABLE, name: 'episodes_without_vector' };
const WAITS = 'indexed_at IS NULL AND in_long_term AND deleted_at IS NULL';

/**
 * What is to be re-embedded was found by a walk over all that was re-embedded before. Nothing of a row that has no vector yet is in
 * the new index, so that an addition writes nothing into it.
 */
export class RowsToReembed1763700000310 implements MigrationInterface {
  readonly name = 'RowsToReembed1763700000310';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      ...TABLE,
      name: 'episodes_carried',
      definition:
        '(project_uid, carried_to) WHERE indexed_at IS NOT NULL AND in_long_term AND deleted_at IS NULL',
    });
    await replaceIndex(runner, {
      ...WAITING,
      definition: `(project_uid, added_at, carried_to) WHERE ${WAITS}`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, { ...WAITING, definition: `(project_uid, added_at) WHERE ${WAITS}` });
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.episodes_carried`);
  }
}
