import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';

/**
 * For tables that grow for as long as the deployment lives, and change: by default PostgreSQL vacuums and analyzes a table
 * once a fifth and a tenth of it have changed, which are ten million rows of a hundred. Until then indexes keep what is dead,
 * and plans are made for what was there before.
 */
const PARAMETERS = { autovacuum_vacuum_scale_factor: 0.01, autovacuum_analyze_scale_factor: 0.005 };

/** Has tables vacuumed and analyzed early, for a migration. It waits for a vacuum that is under way, and nothing waits behind it. */
export const vacuumEarly = (
  runner: QueryRunner,
  schema: string,
  tables: readonly string[],
): Promise<void> => {
  const parameters = Object.entries(PARAMETERS).map(([name, value]) => `${name} = ${value}`);
  return alterAll(runner, { schema, tables, change: `SET (${parameters.join(', ')})` });
};

/** Undoes `vacuumEarly`. */
export const vacuumByDefault = (
  runner: QueryRunner,
  schema: string,
  tables: readonly string[],
): Promise<void> =>
  alterAll(runner, { schema, tables, change: `RESET (${Object.keys(PARAMETERS).join(', ')})` });

async function alterAll(
  runner: QueryRunner,
  { schema, tables, change }: { schema: string; tables: readonly string[]; change: string },
): Promise<void> {
  await runner.query('SET LOCAL lock_timeout = 0');
  for (const table of tables) await runner.query(`ALTER TABLE ${qualified(schema, table)} ${change}`);
}
