import { disableRowSecurity, enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLE = { schema: SCHEMA, table: 'model_quota_use' };

/** What each organization has asked of language models today, to compare with its quota. */
export class ModelQuotas1763700000080 implements MigrationInterface {
  readonly name = 'ModelQuotas1763700000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.model_quota_use (
        org_id text NOT NULL,
        day    date NOT NULL,
        calls  bigint NOT NULL,
        tokens bigint NOT NULL,
        PRIMARY KEY (org_id, day)
      )`);
    await enableRowSecurity(runner, { ...TABLE, tenant: `org_id || '/'` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await disableRowSecurity(runner, TABLE);
    await runner.query(`DROP TABLE ${SCHEMA}.model_quota_use`);
  }
}
