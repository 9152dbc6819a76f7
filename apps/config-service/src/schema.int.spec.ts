import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONFIG_QUOTAS } from '@loci/contracts';
import { PERSISTENCE_ENTITIES, runMigrations } from '@loci/persistence';
import { type CheckedStatement, checkStatements, schemaDifferences, TestDatabase } from '@loci/testing';
import { SCHEMA } from './database.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { countUsed } from './quotas/count-used.sql.js';
import { largestShare } from './quotas/largest-share.sql.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

const COMPOSITIONS = new Map<unknown, CheckedStatement[]>([
  [countUsed, CONFIG_QUOTAS.map(countUsed)],
  [largestShare, CONFIG_QUOTAS.map(largestShare)],
]);

let database: TestDatabase;

beforeAll(async () => {
  database = await TestDatabase.create();
  await runMigrations({ url: database.url, schema: SCHEMA, migrations: MIGRATIONS });
});

afterAll(() => database.drop());

test('every table has an entity, and a generated migration would be empty', async () => {
  const entities = [...PERSISTENCE_ENTITIES, ...ENTITIES];
  const differences = await schemaDifferences({ url: database.url, schema: SCHEMA, entities });
  expect(differences).toEqual({ statements: [], tablesWithoutEntity: [], otherColumns: [] });
});

test('every statement answers the columns that it declares', async () => {
  const { checked, problems } = await checkStatements({
    url: database.url,
    folder: FOLDER,
    compositions: COMPOSITIONS,
  });
  expect(problems).toEqual([]);
  expect(checked).toBeGreaterThan(0);
});
