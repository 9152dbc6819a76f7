import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What is to be re-embedded was found by a walk over all that was re-embedded before. */
export class RowsToReembed1763700000310 implements MigrationInterface {
  readonly name = 'RowsToReembed1763700000310';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    const definition = '(project_uid, carried_to) WHERE in_long_term AND deleted_at IS NULL';
    return buildIndex(runner, { schema: SCHEMA, table: 'episodes', name: 'episodes_carried', definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.episodes_carried`);
  }
}
