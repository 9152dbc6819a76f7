import { buildIndex, inTransaction } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const DELETIONS = `${SCHEMA}.deletions`;

/**
 * A worker looks at one deletion of each organization, where it sorted all that were due. What a former version adds
 * meanwhile counts as of one more organization; its statements would read a column `org_id` as one of projects or of these.
 */
export class DeletionsOfOrganization1763700000343 implements MigrationInterface {
  readonly name = 'DeletionsOfOrganization1763700000343';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${DELETIONS} ADD COLUMN IF NOT EXISTS organization text NOT NULL DEFAULT ''`,
    );
    await inTransaction(runner, () =>
      runner.query(
        `UPDATE ${DELETIONS} SET organization = projects.org_id FROM ${SCHEMA}.projects WHERE projects.uid = project_uid`,
      ),
    );
    await buildIndex(runner, {
      schema: SCHEMA,
      table: 'deletions',
      name: 'deletions_of_organization',
      definition: `(organization, next_at) WHERE state <> 'done'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.deletions_of_organization`);
    await runner.query(`ALTER TABLE ${DELETIONS} DROP COLUMN organization`);
  }
}
