import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A deletion by a filter looks for tombstones of its project each second, and read older ones of all projects to find them. */
export class TombstonesOfProject1763700000340 implements MigrationInterface {
  readonly name = 'TombstonesOfProject1763700000340';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return buildIndex(runner, {
      schema: SCHEMA,
      table: 'episodes',
      name: 'episodes_tombstones_of_project',
      definition: '(project_uid, deleted_at) WHERE deleted_at IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.episodes_tombstones_of_project`);
  }
}
