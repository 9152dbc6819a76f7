import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PgBouncer } from '@loci/testing';
import { Letters1700000000001 } from '../../test/letters.js';
import { SpecDatabase } from '../../test/spec-database.js';
import { runMigrations } from '../migrations/run-migrations.js';
import { type RowScope, rowsOf } from '../statements/row-scope.js';
import { sql } from '../statements/sql-statement.js';
import { scopedManager } from './connection-scope.js';
import { entityManager } from './transaction.js';
import { type UnitOfWork } from './unit-of-work.js';

const TENANTS = Array.from({ length: 10 }, (_, index) => `tenant/${index}`);

const LETTERS = sql({ name: 'letters', text: 'SELECT tenant FROM spec.letters', row: { tenant: 'text' } });
const WRITE = sql({ name: 'write_letter', text: 'INSERT INTO spec.letters VALUES ($1, $2)' });

(PgBouncer.isThere() ? describe : describe.skip)('with PgBouncer 1.21 or newer, by transaction', () => {
  let database: SpecDatabase;
  let pooler: PgBouncer;
  let replicas: readonly UnitOfWork[];

  beforeAll(async () => {
    database = await SpecDatabase.create();
    await runMigrations({ url: database.url, schema: 'spec', migrations: [Letters1700000000001] });
    await database.query('INSERT INTO spec.letters SELECT tenant, $2 FROM unnest($1::text[]) AS tenant', [
      TENANTS,
      'first',
    ]);
    pooler = await PgBouncer.start(database.url, 2);
    const open = () => database.open({ url: pooler.url, poolSize: 8 });
    replicas = [await open(), await open()];
  });

  afterAll(async () => {
    await database.drop();
    await pooler.stop();
  });

  type Read = (unitOfWork: UnitOfWork, scope: RowScope) => Promise<readonly { tenant: string }[]>;
  const ways: readonly (readonly [string, Read])[] = [
    ['a statement', (unitOfWork, scope) => unitOfWork.execute(LETTERS, [], { scope })],
    [
      'a statement of TypeORM',
      (unitOfWork, scope) => unitOfWork.single((all) => all.query(LETTERS.text), scope),
    ],
    [
      'a transaction',
      (unitOfWork, scope) => unitOfWork.run((tx) => entityManager(tx).query(LETTERS.text), { scope }),
    ],
    [
      'a transaction that changes its scope',
      (unitOfWork, scope) =>
        unitOfWork.run(
          async (tx) => {
            await unitOfWork.execute(LETTERS, [], { tx });
            return (await scopedManager(tx, scope)).query(LETTERS.text);
          },
          { scope: rowsOf(TENANTS[0] ?? '') },
        ),
    ],
  ];

  test.each(ways)('%s sees its own rows, beside fifteen others on two connections', async (_, read) => {
    const seen = await Promise.all(
      Array.from({ length: 30 }, () => TENANTS)
        .flat()
        .map(async (tenant, index) => {
          const unitOfWork = replicas[index % 2];
          const rows = unitOfWork ? await read(unitOfWork, rowsOf(tenant)) : [];
          return { tenant, rows: rows.map((row) => row.tenant) };
        }),
    );
    expect(seen.filter(({ tenant, rows }) => rows.length !== 1 || rows[0] !== tenant)).toEqual([]);
  });

  test('what names no tenant sees nothing', async () => {
    const reads = [...replicas, ...replicas].map((unitOfWork) => unitOfWork.execute(LETTERS));
    expect((await Promise.all(reads)).flat()).toEqual([]);
  });

  test('what fails changes nothing, and spoils no other', async () => {
    const scope = rowsOf(TENANTS[0] ?? '');
    for (const unitOfWork of replicas) {
      const writes = TENANTS.map((tenant) => unitOfWork.execute(WRITE, [tenant, 'second'], { scope }));
      const [own, ...others] = (await Promise.allSettled(writes)).map(({ status }) => status);
      expect(own).toBe('fulfilled');
      expect(new Set(others)).toEqual(new Set(['rejected']));
    }
    expect(await replicas[0]?.execute(LETTERS, [], { scope })).toHaveLength(1 + replicas.length);
  });
});
