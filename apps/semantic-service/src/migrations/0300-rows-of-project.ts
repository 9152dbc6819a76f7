import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What an erasure finds the rows of a project by, and the removal of the project what still names it. */
const COLUMNS = [
  { table: 'feature_history', name: 'feature_history_of_project', column: 'project_uid' },
  { table: 'categories', name: 'categories_of_project', column: 'project_uid' },
  { table: 'set_types', name: 'set_types_of_project', column: 'project_uid' },
  { table: 'proposals', name: 'proposals_of_project', column: 'project_uid' },
  { table: 'ingestion_usage', name: 'ingestion_usage_of_project', column: 'project_uid' },
  { table: 'proposals', name: 'proposals_of_source', column: 'source_project_uid' },
] as const;

/** An erasure read these tables as a whole, with the rows of all tenants. Begun again, it does what is left. */
export class RowsOfProject1763700000300 implements MigrationInterface {
  readonly name = 'RowsOfProject1763700000300';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, name, column } of COLUMNS) {
      const definition = `(${column}) WHERE ${column} IS NOT NULL`;
      await buildIndex(runner, { schema: SCHEMA, table, name, definition });
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of COLUMNS) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.${name}`);
    }
  }
}
