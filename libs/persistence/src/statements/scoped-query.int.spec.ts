import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { Letters1700000000001 } from '../../test/letters.js';
import { SpecDatabase } from '../../test/spec-database.js';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { runMigrations } from '../migrations/run-migrations.js';
import { rowsOf } from './row-scope.js';
import { ScopedQuery } from './scoped-query.js';
import { sql } from './sql-statement.js';

const SCOPE = rowsOf('a/1');
const SEEN = sql({
  name: 'scope_seen',
  text: `SELECT current_setting('loci.scope', true) AS scope, $1::text AS given, txid_current()::text AS transaction`,
  row: { scope: 'text', given: 'text', transaction: 'text' },
});
const LATE = sql({ name: 'late', text: 'SELECT id FROM spec.late', row: { id: 'int4' } });

let database: SpecDatabase;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  database = await SpecDatabase.create();
  await runMigrations({ url: database.url, schema: 'spec', migrations: [Letters1700000000001] });
  unitOfWork = await database.open({ poolSize: 1 });
});

afterAll(() => database.drop());

test('a statement sees its scope and its own rows alone, and nothing of both stays on the connection', async () => {
  for (const given of ['first', 'second']) {
    const rows = await unitOfWork.execute(SEEN, [given], { scope: SCOPE });
    expect(rows).toMatchObject([{ scope: SCOPE, given }]);
    expect(await unitOfWork.execute(SEEN, [given])).toMatchObject([{ scope: '', given }]);
  }
});

test('statements that are sent at once end one after the other, each in a transaction of its own', async () => {
  const client = new pg.Client({ connectionString: database.url, pipeline: true });
  await client.connect();
  const ask = (tenant: string) =>
    ScopedQuery.run(client, rowsOf(tenant), { name: SEEN.name, text: SEEN.text, values: [tenant] });
  const answers = await Promise.all(['a/1', 'b/1', 'a/1'].map(ask));
  const rows = answers.flatMap(({ rows }) => rows as { scope: string; given: string; transaction: string }[]);
  expect(rows.map(({ scope }) => scope)).toEqual(['a/1', 'b/1', 'a/1']);
  expect(rows.map(({ given }) => given)).toEqual(['a/1', 'b/1', 'a/1']);
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(3);
  await client.end();
});

test('a statement that could not be prepared is prepared when it is asked for again', async () => {
  const ask = () => unitOfWork.execute(LATE, [], { scope: SCOPE });
  await expect(ask()).rejects.toThrow('relation "spec.late" does not exist');
  await database.query('CREATE TABLE spec.late (id integer)');
  await expect(ask()).resolves.toEqual([]);
});

test('a statement that fails changes nothing, and the next one works', async () => {
  const write = sql({ name: 'write_letter', text: 'INSERT INTO spec.letters VALUES ($1, $2)' });
  const letters = sql({ text: 'SELECT text FROM spec.letters', row: { text: 'text' } });
  await expect(unitOfWork.execute(write, ['b/1', 'x'], { scope: SCOPE })).rejects.toThrow(
    'row-level security',
  );
  await unitOfWork.execute(write, [SCOPE, 'kept'], { scope: SCOPE });
  expect(await unitOfWork.execute(letters, [], { scope: SCOPE })).toEqual([{ text: 'kept' }]);
});

test('a value that cannot be sent fails alone', async () => {
  const unsendable = {
    toPostgres: () => {
      throw new Error('no text');
    },
  };
  await expect(unitOfWork.execute(SEEN, [unsendable], { scope: SCOPE })).rejects.toThrow('no text');
  expect(await unitOfWork.execute(SEEN, ['after'], { scope: SCOPE })).toMatchObject([{ given: 'after' }]);
});
