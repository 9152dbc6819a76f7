import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PERSISTENCE_ENTITIES, runMigrations } from '@loci/persistence';
import { schemaDifferences, TestDatabase } from '@loci/testing';
import { SCHEMA } from './database.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations/migrations.js';

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
