import { keyIndexVersionsByOwner, keyIndexVersionsByUid } from '@loci/indexing';
import { buildIndex, replaceIndex, replacePrimaryKey } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const EPISODES = `${SCHEMA}.episodes`;

/**
 * Every key contains the project, by which the tables can be spread over servers. What grows with the memory itself is
 * indexed while adds go on, each statement a transaction of its own; begun again, it does what is left.
 */
export class DistributionKeys1763700000230 implements MigrationInterface {
  readonly name = 'DistributionKeys1763700000230';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const episodes = { schema: SCHEMA, table: 'episodes' };
    const key = '(project_uid, uid)';
    await buildIndex(runner, { ...episodes, name: 'episodes_by_project', definition: key, isUnique: true });
    await keepFormerKeys(runner);
    const inTime = '(project_uid, created_at, uid) WHERE deleted_at IS NULL';
    await buildIndex(runner, { ...episodes, name: 'episodes_in_time', definition: inTime });
    await runner.query(`
      ALTER TABLE ${EPISODES} DROP CONSTRAINT episodes_pkey,
        ADD CONSTRAINT episodes_pkey PRIMARY KEY USING INDEX episodes_by_project`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.episodes_in_order`);
    await runner.query(`ALTER INDEX ${SCHEMA}.episodes_in_time RENAME TO episodes_in_order`);
    await replacePrimaryKey(runner, { schema: SCHEMA, table: 'deletions', columns: 'project_uid, uid' });
    await keyIndexVersionsByOwner(runner, SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await keyIndexVersionsByUid(runner, SCHEMA);
    await runner.query(`
      ALTER TABLE ${SCHEMA}.deletions
        DROP CONSTRAINT deletions_pkey, ADD CONSTRAINT deletions_pkey PRIMARY KEY (uid)`);
    await runner.query(`DROP INDEX ${SCHEMA}.episodes_in_order, ${SCHEMA}.episodes_by_uid`);
    await runner.query(`CREATE INDEX episodes_in_order ON ${EPISODES} (project_uid, created_at, uid)`);
    await runner.query(`
      ALTER TABLE ${EPISODES}
        DROP CONSTRAINT episodes_pkey, ADD CONSTRAINT episodes_pkey PRIMARY KEY (uid)`);
  }
}

/** Keys that statements of the version before name in `ON CONFLICT`: imports. They lose what makes them unique one release later. */
export const keepFormerKeys = (runner: QueryRunner): Promise<void> =>
  replaceIndex(runner, {
    schema: SCHEMA,
    table: 'episodes',
    name: 'episodes_by_uid',
    definition: '(uid)',
    isUnique: true,
  });
