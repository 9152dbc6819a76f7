import { disableRowSecurity, enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A project is known by its name and by its uid, its episodes by the uid of the project. */
const TENANTS = [
  { table: 'projects', tenant: `org_id || '/' || project_id, uid::text` },
  { table: 'episodes', tenant: 'project_uid::text' },
] as const;

export class RowSecurity1763700000010 implements MigrationInterface {
  readonly name = 'RowSecurity1763700000010';

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, tenant } of TENANTS) {
      await enableRowSecurity(runner, { schema: SCHEMA, table, tenant });
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of TENANTS) await disableRowSecurity(runner, { schema: SCHEMA, table });
  }
}
