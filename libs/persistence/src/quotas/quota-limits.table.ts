import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';
import { disableRowSecurity, enableRowSecurity } from '../row-security/row-security.js';

/**
 * Creates the table of quotas that differ from the defaults, for a migration.
 * @param tenant as for `enableRowSecurity`: what the rows of an organization are called in this schema
 */
export async function createQuotaLimitsTable(
  runner: QueryRunner,
  { schema, tenant }: { schema: string; tenant: string },
): Promise<void> {
  await runner.query(`
    CREATE TABLE ${qualified(schema, 'quota_limits')} (
      org_id     text NOT NULL,
      quota      text NOT NULL,
      max        bigint NOT NULL CHECK (max >= 0),
      changed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (org_id, quota)
    )`);
  await enableRowSecurity(runner, { schema, table: 'quota_limits', tenant });
}

/** Undoes `createQuotaLimitsTable`. */
export async function dropQuotaLimitsTable(runner: QueryRunner, schema: string): Promise<void> {
  await disableRowSecurity(runner, { schema, table: 'quota_limits' });
  await runner.query(`DROP TABLE ${qualified(schema, 'quota_limits')}`);
}
