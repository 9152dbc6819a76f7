import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runMigrations } from '@loci/persistence';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { Subjects1763700000130 } from './0130-subjects.js';
import { MIGRATIONS } from './migrations.js';

let database: TestDatabase;

const migrate = (migrations: readonly (typeof MIGRATIONS)[number][]): Promise<string[]> =>
  runMigrations({ url: database.url, schema: SCHEMA, migrations: [...migrations] });

beforeAll(async () => {
  database = await TestDatabase.create();
});

afterAll(() => database.drop());

const open = (projectId: string): Promise<unknown> =>
  database.query(`INSERT INTO semantic.projects (uid, org_id, project_id) VALUES ($1, 'acme', $2)`, [
    uuidv7(),
    projectId,
  ]);

test('a project that was there keeps facts of its own, one that comes later has facts of users', async () => {
  await migrate(MIGRATIONS.slice(0, MIGRATIONS.indexOf(Subjects1763700000130)));
  await open('before');
  await migrate(MIGRATIONS);
  await open('later');
  expect(
    await database.query('SELECT project_id, facts_of FROM semantic.projects ORDER BY project_id'),
  ).toEqual([
    { project_id: 'before', facts_of: 'project' },
    { project_id: 'later', facts_of: 'users' },
  ]);
});
