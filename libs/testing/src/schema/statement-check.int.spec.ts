import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TestDatabase } from '../test-database.js';
import { schemaDifferences } from './schema-differences.js';
import { problemsOf } from './statement-check.js';

@Entity({ schema: 'spec', name: 'marks', synchronize: false })
class MarkEntity {
  @PrimaryColumn({ type: 'text' })
  name!: string;
}

@Entity({ schema: 'spec', name: 'notes' })
@Index('notes_by_text', ['text'])
class NoteEntity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'text', nullable: true })
  text!: string | null;
}

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await TestDatabase.create();
  await database.query('CREATE SCHEMA spec');
  await database.query('CREATE TABLE spec.notes (id integer PRIMARY KEY, text text)');
  await database.query('CREATE INDEX notes_by_text ON spec.notes (text)');
  await database.query('CREATE TABLE spec.marks (name text)');
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const NOTES = 'SELECT id, text FROM spec.notes WHERE id = ANY($1::int[])';

test.each([
  ['that is right', NOTES, { id: 'int4', text: 'text?' }, []],
  ['without rows', 'UPDATE spec.notes SET text = $2 WHERE id = $1', {}, []],
  ['with an array', 'SELECT array_agg(id) AS ids FROM spec.notes', { ids: 'int4[]?' }, []],
  ['with a wrong type', NOTES, { id: 'uuid', text: 'text?' }, ['declares id uuid, but it is int4']],
  ['with a null it denies', NOTES, { id: 'int4', text: 'text' }, ['text may be null']],
  ['with a column too few', NOTES, { id: 'int4' }, ['answers text (text), which it does not declare']],
  [
    'with a column too many',
    NOTES,
    { id: 'int4', text: 'text?', at: 'timestamptz' },
    ['declares at, which it does not answer'],
  ],
  ['that is no SQL', 'SELECT FROM WHERE', {}, [expect.stringContaining('the server refuses it')]],
])('a statement %s', async (_, text, row, problems) => {
  expect(await problemsOf(client, { text, row })).toEqual(problems);
});

test('entities and tables are compared in both directions', async () => {
  const differences = () =>
    schemaDifferences({ url: database.url, schema: 'spec', entities: [MarkEntity, NoteEntity] });
  expect(await differences()).toEqual({ statements: [], tablesWithoutEntity: [], otherColumns: [] });
  await database.query('ALTER TABLE spec.notes ADD COLUMN unknown text');
  await database.query('DROP INDEX spec.notes_by_text');
  await database.query('CREATE TABLE spec.others (id integer)');
  await database.query('ALTER TABLE spec.marks ADD COLUMN at date');
  const { statements, tablesWithoutEntity, otherColumns } = await differences();
  expect(statements).toEqual([
    expect.stringContaining('DROP COLUMN "unknown"'),
    expect.stringContaining('CREATE INDEX "notes_by_text"'),
  ]);
  expect(tablesWithoutEntity).toEqual(['others']);
  expect(otherColumns).toEqual(['marks: name, not at,name']);
});
