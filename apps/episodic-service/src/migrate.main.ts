import { loadEnv } from '@loci/platform';
import { runMigrations } from '@loci/persistence';
import 'reflect-metadata';
import { Episodes1763700000001 } from './migrations/0001-episodes.js';
import { RowSecurity1763700000010 } from './migrations/0002-row-security.js';
import { SCHEMA } from './database.js';
import { MigrationEnv } from './env.js';

const { DATABASE_URL } = loadEnv(MigrationEnv);

await runMigrations({
  url: DATABASE_URL,
  schema: SCHEMA,
  migrations: [Episodes1763700000001, RowSecurity1763700000010],
});
