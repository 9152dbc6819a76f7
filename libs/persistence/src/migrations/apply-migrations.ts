import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { isConflict } from '../statements/database-failure.js';
import { MIGRATIONS_TABLE } from './applied-migrations.sql.js';
import { type MigrationsOptions } from './migrations-options.js';

/** Every statement on a table waits behind a migration that waits for it: a migration gives way instead, and tries again. */
const LOCK_TIMEOUT_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Longer than a backup takes, which holds every table that it has read until its end. */
const GIVE_UP_AFTER_MS = 12 * 3600_000;

/** Each migration in a transaction of its own, or able to begin again; waits as long as other work on its tables takes. */
export async function applyMigrations({
  url,
  schema,
  migrations,
  onWaiting,
}: MigrationsOptions): Promise<void> {
  await givingWay(() => applyOnce({ url, schema, migrations }), onWaiting);
}

async function applyOnce({ url, schema, migrations }: MigrationsOptions): Promise<void> {
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
    await dataSource.runMigrations();
  } finally {
    await dataSource.destroy();
  }
}

async function givingWay(
  work: () => Promise<unknown>,
  onWaiting: MigrationsOptions['onWaiting'],
): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isConflict(error) || performance.now() + pauseMs > giveUpAt) throw error;
      onWaiting?.(error);
      await sleep(pauseMs);
    }
  }
}
