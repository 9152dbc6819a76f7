import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Letters1700000000001 } from '../../test/letters.js';
import { SpecDatabase } from '../../test/spec-database.js';
import { entityManager, type Transaction } from '../database/transaction.js';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { runMigrations } from '../migrations/run-migrations.js';
import { scopedManager } from '../database/connection-scope.js';
import { sql } from '../statements/sql-statement.js';
import { NO_TENANT, ROWS_OF_ALL, type RowScope, rowsOf } from '../statements/row-scope.js';

const ALL = 'SELECT tenant, text FROM spec.letters ORDER BY tenant';

let database: SpecDatabase;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  database = await SpecDatabase.create();
  await runMigrations({ url: database.url, schema: 'spec', migrations: [Letters1700000000001] });
  await database.query(`INSERT INTO spec.letters VALUES ('a/1', 'of a'), ('b/1', 'of b')`);
  unitOfWork = await database.open({ poolSize: 1 });
});

afterAll(() => database.drop());

const textsOf = async (scope?: RowScope): Promise<string[]> => {
  const rows = await unitOfWork.single((manager) => manager.query<{ text: string }[]>(ALL), scope);
  return rows.map(({ text }) => text);
};

describe('a query without its predicate', () => {
  test('sees the rows of its own tenant only, also right after another tenant on the same connection', async () => {
    expect(await textsOf(rowsOf('a/1'))).toEqual(['of a']);
    expect(await textsOf(rowsOf('b/1'))).toEqual(['of b']);
    expect(await textsOf(rowsOf('nobody/1'))).toEqual([]);
    expect(await textsOf(ROWS_OF_ALL)).toEqual(['of a', 'of b']);
  });

  test('sees nothing when it names no tenant, whatever the connection did before', async () => {
    expect(await textsOf(ROWS_OF_ALL)).toHaveLength(2);
    expect(await textsOf()).toEqual([]);
    expect(await textsOf(ROWS_OF_ALL)).toHaveLength(2);
    const inNone = async (tx: Transaction): Promise<object[]> =>
      (await scopedManager(tx, NO_TENANT)).query<object[]>(ALL);
    expect(await unitOfWork.run(inNone)).toEqual([]);
  });

  test('sees nothing in a transaction that was given no tenant, otherwise those of the tenant it was given', async () => {
    expect(await textsOf(ROWS_OF_ALL)).toHaveLength(2);
    expect(await unitOfWork.run((tx) => entityManager(tx).query<object[]>(ALL))).toEqual([]);
    const ofA = async (tx: Transaction): Promise<object[]> =>
      (await scopedManager(tx, rowsOf('a/1'))).query<object[]>(ALL);
    expect(await unitOfWork.run(ofA)).toEqual([{ tenant: 'a/1', text: 'of a' }]);
    expect(await unitOfWork.run((tx) => entityManager(tx).query<object[]>(ALL))).toEqual([]);
  });

  test('sees the rows of the tenant that its transaction began with, and none in the next one', async () => {
    const texts = async (tx: Transaction): Promise<object[]> => entityManager(tx).query<object[]>(ALL);
    expect(await unitOfWork.run(texts, { scope: rowsOf('a/1') })).toEqual([{ tenant: 'a/1', text: 'of a' }]);
    const changesTwice = async (tx: Transaction): Promise<object[][]> => [
      await (await scopedManager(tx, rowsOf('b/1'))).query<object[]>(ALL),
      await (await scopedManager(tx, rowsOf('a/1'))).query<object[]>(ALL),
    ];
    const seen = await unitOfWork.run(changesTwice, { scope: rowsOf('a/1') });
    expect(seen).toEqual([[{ tenant: 'b/1', text: 'of b' }], [{ tenant: 'a/1', text: 'of a' }]]);
    expect(await unitOfWork.run(texts)).toEqual([]);
  });

  test('row security applies to prepared statements, too', async () => {
    const statement = sql({ name: 'all_letters', text: ALL, row: { tenant: 'text', text: 'text' } });
    const seen = (scope: RowScope) => unitOfWork.execute(statement, [], { scope });
    for (const scope of [rowsOf('a/1'), rowsOf('b/1'), rowsOf('a/1')]) {
      expect(await seen(scope)).toMatchObject([{ tenant: scope }]);
    }
    expect(await seen(NO_TENANT)).toEqual([]);
  });

  test('changes and removes nothing of others', async () => {
    await unitOfWork.single(
      (manager) => manager.query(`UPDATE spec.letters SET text = 'mine'`),
      rowsOf('a/1'),
    );
    await unitOfWork.single((manager) => manager.query('DELETE FROM spec.letters'), rowsOf('c/1'));
    expect(await textsOf(ROWS_OF_ALL)).toEqual(['mine', 'of b']);
  });
});

test.each(['INSERT INTO spec.letters VALUES ($1, $2)', 'UPDATE spec.letters SET tenant = $1, text = $2'])(
  'no row can be given to another tenant: %s',
  async (sql) => {
    const attempt = unitOfWork.single((manager) => manager.query(sql, ['b/1', 'planted']), rowsOf('a/1'));
    await expect(attempt).rejects.toThrow(/row-level security/);
  },
);

describe('a connection', () => {
  const scopeOf = sql({
    text: `SELECT current_setting('loci.scope', true) AS scope`,
    row: { scope: 'text' },
  });
  const kept = async (): Promise<string> => (await unitOfWork.execute(scopeOf))[0]?.scope ?? '';

  test('keeps nothing of the scope of a statement, so that a pooler may give it to another client', async () => {
    const scope = rowsOf('a/1');
    expect(await unitOfWork.execute(scopeOf, [], { scope })).toEqual([{ scope }]);
    expect(await kept()).toBe('');
    expect(await textsOf(scope)).toHaveLength(1);
    expect(await kept()).toBe('');
    const inTransaction = (tx: Transaction) => unitOfWork.execute(scopeOf, [], { tx });
    expect(await unitOfWork.run(inTransaction, { scope })).toEqual([{ scope }]);
    expect(await kept()).toBe('');
  });

  test('serves the next statement after one that failed, which says why and changes nothing', async () => {
    const scope = rowsOf('a/1');
    const text = `UPDATE spec.letters SET text = repeat('x', (1 / (length(text) - length(text)))::integer)`;
    await expect(unitOfWork.execute(sql({ name: 'fails', text }), [], { scope })).rejects.toThrow(
      'division by zero',
    );
    await expect(unitOfWork.execute(sql({ name: 'unread', text: 'SELEC 1' }), [], { scope })).rejects.toThrow(
      'syntax error',
    );
    expect(await kept()).toBe('');
    expect(await textsOf(scope)).toHaveLength(1);
  });
});

test('no tenant is mistaken for all of them', () => {
  expect(() => rowsOf('*')).toThrow('No tenant is called *.');
});
