import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What is to be re-embedded was found by a walk over all that was re-embedded before. */
export class RowsToReembed1763700000310 implements MigrationInterface {
  readonly name = 'RowsToReembed1763700000310';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    const definition = '(set_uid, carried_to) WHERE deleted_at IS NULL';
    return buildIndex(runner, { schema: SCHEMA, table: 'features', name: 'features_carried', definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.features_carried`);
  }
}
