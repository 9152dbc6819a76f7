import { type QueryRunner } from 'typeorm';
import { qualified, quoted } from '../statements/qualified-name.js';
import { EVERY_TENANT, SCOPE_SETTING } from '../statements/row-scope.js';

/**
 * Lets statements see and write only rows of the tenant that their connection is set to, for a migration. It is the wall
 * behind the tenant predicate that every query has anyway: a predicate that was forgotten finds nothing. It holds for the
 * owner of the table, too, but never for a superuser: no service should log in as one (`warnIfAboveRowSecurity`).
 * @param tenant SQL expressions over the columns of the table, of type text, by commas: what the tenant of a row is called
 */
export async function enableRowSecurity(
  runner: QueryRunner,
  { schema, table, tenant }: { schema: string; table: string; tenant: string },
): Promise<void> {
  const name = qualified(schema, table);
  // as scalar subqueries, the settings are read once per statement, not once per row; every tenant comes first, so that
  // statements for all of them do not look up whose each row is. A comparison inside of the subquery passes for half of
  // the rows in the planner's estimate, one outside for 0.5 %, which makes it read whole projects to find a single row.
  const isVisible =
    `(SELECT current_setting('${SCOPE_SETTING}', true) = '${EVERY_TENANT}') ` +
    `OR (SELECT current_setting('${SCOPE_SETTING}', true)) IN (${tenant})`;
  await runner.query(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`);
  await runner.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  await runner.query(
    `CREATE POLICY ${quoted('tenant')} ON ${name} USING (${isVisible}) WITH CHECK (${isVisible})`,
  );
}

/** Undoes `enableRowSecurity`, for the way back of a migration. */
export async function disableRowSecurity(
  runner: QueryRunner,
  { schema, table }: { schema: string; table: string },
): Promise<void> {
  const name = qualified(schema, table);
  await runner.query(`DROP POLICY ${quoted('tenant')} ON ${name}`);
  await runner.query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY`);
}
