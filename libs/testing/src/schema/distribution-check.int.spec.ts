import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestDatabase } from '../test-database.js';
import { distributionProblems, unrestricted } from './distribution-check.js';

const DISTRIBUTED = {
  schema: 'spec',
  distribution: {
    tenants: { whole: 'few' },
    notes: { by: 'tenant' },
    marks: { by: 'tenant' },
    words: { by: 'tenant' },
    others: { by: 'tenant' },
  },
} as const;

let database: TestDatabase;

beforeAll(async () => {
  database = await TestDatabase.create();
  await database.query('CREATE SCHEMA spec');
  await database.query('CREATE TABLE spec.tenants (tenant int PRIMARY KEY)');
  await database.query(
    'CREATE TABLE spec.notes (tenant int REFERENCES spec.tenants, id int, text text, PRIMARY KEY (tenant, id))',
  );
  await database.query(`
    CREATE TABLE spec.marks (
      tenant int, note int, id int PRIMARY KEY, UNIQUE (tenant, note),
      FOREIGN KEY (tenant, note) REFERENCES spec.notes (tenant, id))`);
  await database.query('CREATE TABLE spec.words (tenant int, mark int REFERENCES spec.marks (id))');
  await database.query('CREATE TABLE spec.unknown (id int)');
});

afterAll(() => database.drop());

test('what stands in the way of spreading tables is found', async () => {
  expect(await distributionProblems({ url: database.url, ...DISTRIBUTED })).toEqual([
    'unknown is not listed',
    'others is listed, but there is no such table',
    'marks: marks_pkey does not contain tenant',
    'words: words_mark_fkey may lead to a row of marks on another server',
  ]);
});

const NAMED = {
  'a parameter': 'SELECT FROM spec.notes WHERE tenant = $1 AND text = $2',
  'several parameters': 'SELECT FROM spec.notes WHERE tenant = ANY ($1::int[])',
  'another table': `SELECT FROM spec.notes JOIN spec.marks USING (tenant) WHERE marks.tenant = $1`,
  'a subquery':
    'UPDATE spec.notes SET text = $1 WHERE (tenant, id) IN (SELECT tenant, mark FROM spec.words WHERE tenant = $2)',
  'its row': 'INSERT INTO spec.notes VALUES ($1, $2)',
} as const;

const UNNAMED = {
  'each other alone': 'SELECT FROM spec.notes JOIN spec.notes AS other USING (tenant) WHERE notes.id = $1',
  'another column': 'SELECT FROM spec.notes WHERE id = $1',
  'a range': 'SELECT FROM spec.notes WHERE tenant >= $1',
  'a condition behind a limit': 'SELECT FROM (SELECT * FROM spec.notes LIMIT 10) AS first WHERE tenant = $1',
  'another alias': 'SELECT FROM spec.notes AS one, spec.notes AS notes_of WHERE notes_of.tenant = $1',
  'no condition in a subquery':
    'DELETE FROM spec.marks WHERE tenant = $1 AND EXISTS (SELECT FROM spec.notes WHERE id = note)',
} as const;

test.each([
  ...Object.entries(NAMED).map((one) => [...one, []] as const),
  ...Object.entries(UNNAMED).map((one) => [...one, ['given.sql.ts']] as const),
])('a statement that names rows by %s', async (_, text, found) => {
  const files = [{ file: '/spec/given.sql.ts', statements: [{ text, row: {} }] }];
  expect(await unrestricted({ url: database.url, ...DISTRIBUTED, folder: '/spec' }, files)).toEqual(found);
});
