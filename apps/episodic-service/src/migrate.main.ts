import { loadEnv, runJob } from '@loci/platform';
import { runMigrations } from '@loci/persistence';
import 'reflect-metadata';
import { MIGRATIONS } from './migrations/migrations.js';
import { SCHEMA } from './database.js';
import { MigrationEnv } from './env.js';

await runJob((onWaiting) => {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = loadEnv(MigrationEnv);
  return runMigrations({ url: DATABASE_DIRECT_URL, schema: SCHEMA, migrations: MIGRATIONS, onWaiting });
});
