import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const NAME = 'audit_of_project';

/** The records of a project were looked for among all of its organization. */
export class AuditOfProject1763700000320 implements MigrationInterface {
  readonly name = 'AuditOfProject1763700000320';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    const definition = '(org_id, project_id, id) WHERE project_id IS NOT NULL';
    return buildIndex(runner, { schema: SCHEMA, table: 'audit', name: NAME, definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.${NAME}`);
  }
}
