import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { eventually } from '@loci/testing';
import { SpecDatabase } from '../../test/spec-database.js';
import { buildIndex, replaceIndex, replacePrimaryKey } from './built-index.js';

const INDEX = { schema: 'spec', table: 'notes', name: 'notes_by_text', definition: '(text) WHERE id > 0' };

let database: SpecDatabase;
let dataSource: DataSource;
let runner: QueryRunner;

beforeAll(async () => {
  database = await SpecDatabase.create();
  dataSource = await new DataSource({ type: 'postgres', url: database.url, schema: 'spec' }).initialize();
  runner = dataSource.createQueryRunner();
});

afterAll(async () => {
  await runner.release();
  await dataSource.destroy();
  await database.drop();
});

beforeEach(() => database.query('DROP INDEX IF EXISTS spec.notes_by_text, spec.notes_by_text_new'));

interface Found {
  readonly oid: number;
  readonly text: string;
  readonly isWhole: boolean;
}

/** @returns the index, if it is there */
async function find(name = INDEX.name): Promise<Found | undefined> {
  const [row] = await database.query<Found>(
    `SELECT indexrelid::int AS oid, pg_get_indexdef(indexrelid) AS text, indisvalid AND indisready AS "isWhole"
     FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [`spec.${name}`],
  );
  return row;
}

test('an index that an earlier attempt built is kept', async () => {
  await buildIndex(runner, INDEX);
  const built = await find();
  await buildIndex(runner, INDEX);
  expect(built).toMatchObject({ isWhole: true });
  expect(await find()).toEqual(built);
});

test('an index that an earlier attempt left unfinished is built again', async () => {
  const index = { ...INDEX, isUnique: true };
  await database.query(`INSERT INTO spec.notes VALUES (1, 'same'), (2, 'same')`);
  await expect(buildIndex(runner, index)).rejects.toThrow(/could not create unique index/);
  expect(await find()).toMatchObject({ isWhole: false });
  await database.query('DELETE FROM spec.notes');
  await buildIndex(runner, index);
  expect(await find()).toMatchObject({ isWhole: true });
});

test.each([
  ['of another definition', { ...INDEX, definition: '(text)' }],
  ['that is unique', { ...INDEX, isUnique: true }],
])('an index of the name %s is built anew', async (_, other) => {
  await buildIndex(runner, other);
  await buildIndex(runner, INDEX);
  expect((await find())?.text).toBe(
    'CREATE INDEX notes_by_text ON spec.notes USING btree (text) WHERE (id > 0)',
  );
});

test('an index that has replaced another is not built again', async () => {
  await buildIndex(runner, { ...INDEX, definition: '(text)' });
  await replaceIndex(runner, INDEX);
  const replaced = await find();
  await replaceIndex(runner, INDEX);
  expect(replaced?.text).toContain('(text) WHERE (id > 0)');
  expect(await find()).toEqual(replaced);
});

test('an index that was built and has not yet the name of the one that it replaces is given it', async () => {
  await buildIndex(runner, { ...INDEX, name: 'notes_by_text_new' });
  const built = await find('notes_by_text_new');
  await replaceIndex(runner, INDEX);
  expect((await find())?.oid).toBe(built?.oid);
  expect(await find('notes_by_text_new')).toBeUndefined();
});

test('an index waits for transactions that began earlier, longer than a migration waits for a table', async () => {
  const [reader, hurried] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  await hurried.query(`SELECT set_config('lock_timeout', '1ms', false)`);
  await reader.startTransaction('REPEATABLE READ');
  await reader.query('SELECT FROM spec.notes');
  const building = buildIndex(hurried, INDEX);
  try {
    const isWaiting = async (): Promise<boolean> => {
      const [row] = await database.query<{ waiting: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX%'
           AND wait_event_type = 'Lock' AND now() - query_start > interval '100 ms') AS waiting`,
      );
      return row?.waiting === true;
    };
    await Promise.race([building, eventually(isWaiting, { what: 'the build waits' })]);
  } finally {
    await reader.rollbackTransaction();
  }
  await building;
  expect(await find()).toMatchObject({ isWhole: true });
  await Promise.all([reader.release(), hurried.release()]);
});

test('a primary key that has its columns already is kept', async () => {
  const key = { schema: 'spec', table: 'notes', columns: 'id, text' };
  const former = await find('notes_pkey');
  await replacePrimaryKey(runner, key);
  const replaced = await find('notes_pkey');
  await replacePrimaryKey(runner, key);
  expect(replaced?.oid).not.toBe(former?.oid);
  expect(await find('notes_pkey')).toEqual(replaced);
});
