import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { executeOn } from '../statements/execute.js';
import { quoted } from '../statements/qualified-name.js';
import { type MigrationsOptions } from './migrations-options.js';
import { missingMigrations } from './missing-migrations.js';
import { TAKE_TURN } from './take-turn.sql.js';

const TURN_POLL_MS = 500;

/**
 * Brings a schema up to date, each migration in a transaction of its own. Several at once are safe: one works, the
 * others wait for it and find nothing left to do. What was applied is noted in the schema's own table `migrations`.
 * @returns the names of the migrations that this call applied
 */
export async function runMigrations(options: MigrationsOptions): Promise<string[]> {
  const guard = new pg.Client({ connectionString: options.url, application_name: 'loci-migrations' });
  await guard.connect();
  try {
    while (!(await isOurTurn(guard, options))) await sleep(TURN_POLL_MS);
    const missing = await missingMigrations(guard, options);
    if (missing.length === 0) return [];
    await guard.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(options.schema)}`);
    // most starts have nothing to apply, and what applies takes three times as long to load as to see that
    const { applyMigrations } = await import('./apply-migrations.js');
    await applyMigrations(options);
    return missing.sort((a, b) => timeIn(a) - timeIn(b));
  } finally {
    await guard.end();
  }
}

/** By which TypeORM sorts migrations. */
const timeIn = (name: string): number => Number(name.slice(-13));

async function isOurTurn(guard: pg.Client, { schema }: MigrationsOptions): Promise<boolean> {
  const [row] = await executeOn(guard, TAKE_TURN, [`loci.migrations.${schema}`]);
  return row?.taken === true;
}
