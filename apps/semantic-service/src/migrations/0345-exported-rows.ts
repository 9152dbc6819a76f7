import { buildIndex, replaceIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const OF_PROJECT = 'WHERE project_uid IS NOT NULL';

/** Indexes of whose rows they are, which sort these from now on. */
const SORTED = [
  { table: 'features', name: 'features_of_project', column: 'project_uid', where: OF_PROJECT },
  { table: 'sets', name: 'sets_of_project', column: 'project_uid', where: OF_PROJECT },
  { table: 'sets', name: 'sets_of_org', column: 'org_id', where: '' },
  { table: 'categories', name: 'categories_of_project', column: 'project_uid', where: OF_PROJECT },
  { table: 'categories', name: 'categories_of_org', column: 'org_id', where: '' },
] as const;

const OF_ORGANIZATION = { schema: SCHEMA, table: 'features', name: 'features_of_organization' };

/** An export read all that a project has of a table, and all of its organization, for each page. */
export class ExportedRows1763700000345 implements MigrationInterface {
  readonly name = 'ExportedRows1763700000345';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { column, where, ...index } of SORTED) {
      const definition = `(${column}, created_at, uid) ${where}`;
      await replaceIndex(runner, { schema: SCHEMA, ...index, definition });
    }
    const definition = '(org_id, created_at, uid) WHERE project_uid IS NULL';
    await buildIndex(runner, { ...OF_ORGANIZATION, definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.${OF_ORGANIZATION.name}`);
    for (const { column, where, ...index } of SORTED) {
      await replaceIndex(runner, { schema: SCHEMA, ...index, definition: `(${column}) ${where}` });
    }
  }
}
