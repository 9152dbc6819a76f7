import { DataSource } from 'typeorm';
import { MIGRATIONS_TABLE } from './applied-migrations.sql.js';
import { type MigrationsOptions } from './migrations-options.js';

/** A migration that waits longer for a table gives up, instead of blocking every statement that waits behind it. */
const LOCK_TIMEOUT_MS = 10_000;

/** @returns the names of the migrations that were missing, oldest first */
export async function applyMigrations({ url, schema, migrations }: MigrationsOptions): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema,
    migrations: [...migrations],
    migrationsTableName: MIGRATIONS_TABLE,
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
