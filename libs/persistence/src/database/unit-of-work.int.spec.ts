import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { notFound } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { eventually } from '@loci/testing';
import { SpecDatabase } from '../../test/spec-database.js';
import { Database } from './database.js';
import { DatabaseUnreachableError } from './database-unreachable.error.js';
import { entityManager } from './transaction.js';
import { type UnitOfWork } from './unit-of-work.js';

let database: SpecDatabase;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  database = await SpecDatabase.create();
  unitOfWork = await database.open({ poolSize: 4, statementTimeoutMs: 3_000 });
});

afterAll(() => database.drop());

beforeEach(() => database.query(`TRUNCATE spec.notes`));

const insert = (id: number): [string, unknown[]] => [`INSERT INTO spec.notes VALUES ($1, 'x')`, [id]];

const stored = async (): Promise<number[]> =>
  (await database.query<{ id: number }>(`SELECT id FROM spec.notes ORDER BY id`)).map(({ id }) => id);

/** @returns a row per connection that was ended: all but the asking one */
const terminateOthers = (): Promise<unknown[]> =>
  database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

test('keeps everything when the work returns, and nothing when it throws', async () => {
  const result = await unitOfWork.run(async (tx) => {
    await entityManager(tx).query(...insert(1));
    await entityManager(tx).query(...insert(2));
    return 'done';
  });
  const failure = unitOfWork.run(async (tx) => {
    await entityManager(tx).query(...insert(3));
    throw notFound('project_not_found', 'gone');
  });
  expect(result).toBe('done');
  await expect(failure).rejects.toMatchObject({ code: 'project_not_found' });
  expect(await stored()).toEqual([1, 2]);
});

test("two transactions in each other's way both succeed", async () => {
  await database.query(`INSERT INTO spec.notes VALUES (1, ''), (2, '')`);
  let met = 0;
  const touch = (first: number, second: number): Promise<unknown> =>
    unitOfWork.run(async (tx) => {
      const update = `UPDATE spec.notes SET text = text || '.' WHERE id = $1`;
      await entityManager(tx).query(update, [first]);
      met += 1;
      await eventually(() => met >= 2, { what: 'both have locked their first row' });
      await entityManager(tx).query(update, [second]);
    });
  await Promise.all([touch(1, 2), touch(2, 1)]);
  expect(met).toBe(3);
  expect(await database.query(`SELECT text FROM spec.notes`)).toEqual([{ text: '..' }, { text: '..' }]);
});

test('work that loses every time is unavailable in the end', async () => {
  let tries = 0;
  const losing = unitOfWork.run(async (tx) => {
    tries += 1;
    await entityManager(tx).query(`DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$`);
  });
  await expect(losing).rejects.toMatchObject({ code: 'database_unavailable' });
  expect(tries).toBe(4);
});

test('an isolation level can be asked for', async () => {
  const level = (options?: { isolation: 'SERIALIZABLE' }): Promise<unknown> =>
    unitOfWork.run((tx) => entityManager(tx).query('SHOW transaction_isolation'), options);
  expect(await level()).toEqual([{ transaction_isolation: 'read committed' }]);
  expect(await level({ isolation: 'SERIALIZABLE' })).toEqual([{ transaction_isolation: 'serializable' }]);
});

test('sessions speak UTC and say whose they are', async () => {
  const rows = await unitOfWork.single((manager) =>
    manager.query<unknown[]>(
      `SELECT current_setting('TimeZone') AS zone, current_setting('application_name') AS name`,
    ),
  );
  expect(rows).toEqual([{ zone: 'UTC', name: 'loci-spec' }]);
});

test('a statement that takes too long is ended and named a time-out', async () => {
  const slow = unitOfWork.single((manager) => manager.query('SELECT pg_sleep(20)'));
  await expect(slow).rejects.toMatchObject({ code: 'deadline_exceeded' });
});

test('who finds no free connection is turned away soon, and the connections come back', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let holding = 0;
  const holders = Array.from({ length: 4 }, () =>
    unitOfWork.run(() => {
      holding += 1;
      return held;
    }),
  );
  await eventually(() => holding === 4, { what: 'all connections are taken' });
  const started = performance.now();
  await expect(unitOfWork.single((manager) => manager.query('SELECT 1'))).rejects.toMatchObject({
    code: 'database_unavailable',
    details: { retryAfterSeconds: 1 },
  });
  // two seconds, and what a busy machine adds: no connection is let go of before
  expect(performance.now() - started).toBeLessThan(30_000);
  release();
  await Promise.all(holders);
  await expect(unitOfWork.single((manager) => manager.query('SELECT 1'))).resolves.toHaveLength(1);
});

test('slow statements of one organization leave connections to the others', async () => {
  const askedBy = <T>(orgId: string, work: () => Promise<T>): Promise<T> =>
    RequestContext.run({ requestId: orgId, orgId }, work);
  const select = (sql: string): Promise<unknown> => unitOfWork.single((manager) => manager.query(sql));
  let ended = 0;
  const slow = Array.from({ length: 4 }, () =>
    askedBy('busy', () => select('SELECT pg_sleep(2)')).finally(() => (ended += 1)),
  );
  expect(await askedBy('quiet', () => select('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  expect(ended).toBe(0);
  await Promise.allSettled(slow);
});

test('slow statements of organizations leave a connection to work that is of none of them', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let holding = 0;
  const holders = ['busy', 'busy', 'busy', 'other'].map((orgId) =>
    RequestContext.run({ requestId: orgId, orgId }, () =>
      unitOfWork.run(() => {
        holding += 1;
        return held;
      }),
    ),
  );
  await eventually(() => holding >= 3, { what: 'all that they may have is taken' });
  await expect(unitOfWork.single((manager) => manager.query('SELECT 1 AS one'))).resolves.toEqual([
    { one: 1 },
  ]);
  release();
  await Promise.all(holders);
});

test('a connection that dies in a transaction undoes it and is unavailable; the next one works', async () => {
  const cut = unitOfWork.run(async (tx) => {
    await entityManager(tx).query(...insert(1));
    await terminateOthers();
    await entityManager(tx).query(...insert(2));
  });
  await expect(cut).rejects.toMatchObject({ code: 'database_unavailable' });
  await eventually(() => unitOfWork.run((tx) => entityManager(tx).query(...insert(3))), {
    what: 'it works again',
  });
  expect(await stored()).toEqual([3]);
});

test('idle connections that die do no harm', async () => {
  await Promise.all(
    [1, 2, 3].map(() => unitOfWork.single((manager) => manager.query('SELECT pg_sleep(0.05)'))),
  );
  database.logger.lines.length = 0;
  const ended = await terminateOthers();
  const losses = () => database.logger.lines.filter(({ message }) => message.includes('idle'));
  await eventually(() => losses().length === ended.length, { what: 'every loss was noticed and logged' });
  await expect(unitOfWork.single((manager) => manager.query('SELECT 1'))).resolves.toHaveLength(1);
});

test('a process without PostgreSQL does not start, and says where it looked', async () => {
  const options = { ...database.options, url: 'postgres://me:secret@127.0.0.1:1/loci' };
  const start = Database.connect(options, database.logger, 300);
  await expect(start).rejects.toThrow(DatabaseUnreachableError);
  await expect(start).rejects.toThrow('127.0.0.1:1/loci');
  await expect(start).rejects.not.toThrow('secret');
});

test.each([
  ['password', 'wrong', /password authentication failed/],
  ['pathname', '/missing', /database "missing" does not exist/],
] as const)('a process with a wrong %s does not try for long', async (part, value, reason) => {
  const url = new URL(database.url);
  url[part] = value;
  const started = performance.now();
  const start = Database.connect({ ...database.options, url: url.href }, database.logger, 120_000);
  await expect(start).rejects.toThrow(reason);
  expect(performance.now() - started).toBeLessThan(30_000);
});
