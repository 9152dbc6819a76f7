import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PERSISTENCE_ENTITIES, runMigrations } from '@loci/persistence';
import { checkStatements, schemaDifferences, TestDatabase } from '@loci/testing';
import { SCHEMA } from './database.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

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
  const { checked, problems } = await checkStatements({ url: database.url, folder: FOLDER });
  expect(problems).toEqual([]);
  expect(checked).toBeGreaterThan(0);
});
