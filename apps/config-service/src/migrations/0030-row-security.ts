import { enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Keys and records of no organization are the deployment's, and shown to nobody within one. */
const TABLES = ['projects', 'api_keys', 'audit'] as const;

export class RowSecurity1763700000030 implements MigrationInterface {
  readonly name = 'RowSecurity1763700000030';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await enableRowSecurity(runner, { schema: SCHEMA, table, tenant: 'org_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP POLICY tenant ON ${SCHEMA}.${table}`);
      await runner.query(
        `ALTER TABLE ${SCHEMA}.${table} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY`,
      );
    }
  }
}
