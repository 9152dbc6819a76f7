import { loadEnv } from '@loci/platform';
import { runMigrations } from '@loci/persistence';
import 'reflect-metadata';
import { Projects1763700000001 } from './migrations/0001-projects.js';
import { ApiKeys1763700000003 } from './migrations/0003-api-keys.js';
import { SCHEMA } from './database.js';
import { MigrationEnv } from './env.js';

const { DATABASE_URL } = loadEnv(MigrationEnv);

await runMigrations({
  url: DATABASE_URL,
  schema: SCHEMA,
  migrations: [Projects1763700000001, ApiKeys1763700000003],
});
