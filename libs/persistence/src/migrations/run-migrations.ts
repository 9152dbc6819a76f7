import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { quoted } from '../database/qualified-name.js';

export interface MigrationsOptions {
  readonly url: string;
  readonly schema: string;
  /** In any order: the 13 digits at the end of a class name decide. */
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** A migration that waits longer for a table gives up, instead of holding back everybody who waits behind it. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Brings a schema up to date, each migration in a transaction of its own. Several at once are safe: one works, the
 * others wait for it and find nothing left to do. What was applied is noted in the schema's own table `migrations`.
 * @returns the names of the migrations that this call applied
 */
export async function runMigrations(options: MigrationsOptions): Promise<string[]> {
  const guard = new pg.Client({ connectionString: options.url, application_name: 'loci-migrations' });
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [
      `loci.migrations.${options.schema}`,
    ]);
    await guard.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(options.schema)}`);
    return await apply(options);
  } finally {
    await guard.end();
  }
}

async function apply({ url, schema, migrations }: MigrationsOptions): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    applicationName: 'loci-migrations',
    installExtensions: false,
    poolSize: 1,
    extra: { options: `-c TimeZone=UTC -c lock_timeout=${LOCK_TIMEOUT_MS}` },
  });
  await dataSource.initialize();
  try {
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
