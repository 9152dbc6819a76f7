import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SpecDatabase } from '../../test/spec-database.js';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { sql } from '../statements/sql-statement.js';
import { type LeaseColumns, LeaseSql } from './lease.js';

const KINDS: readonly (readonly [string, LeaseColumns])[] = [
  ['a counter', { until: 'until', unfinished: 'unfinished', fence: { column: 'counter', kind: 'counter' } }],
  ['a random uuid', { until: 'until', unfinished: 'unfinished', fence: { column: 'token', kind: 'uuid' } }],
  ['the end of the lease', { until: 'until', unfinished: 'unfinished', fence: 'until' }],
];

const LONG_MS = 3_600_000;

let database: SpecDatabase;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  database = await SpecDatabase.create();
  await database.query(
    `CREATE TABLE spec.work (id integer PRIMARY KEY, until timestamptz, counter bigint NOT NULL DEFAULT 0, token uuid, unfinished integer NOT NULL DEFAULT 0, text text)`,
  );
  unitOfWork = await database.open({ poolSize: 8 });
});

afterAll(() => database.drop());

beforeEach(() => database.query('TRUNCATE spec.work; INSERT INTO spec.work (id) VALUES (1)'));

describe.each(KINDS)('a lease whose fence is %s', (_, columns) => {
  const lease = new LeaseSql(columns);

  const run = async (text: string, parameters: readonly unknown[]): Promise<string | undefined> => {
    const [row] = await unitOfWork.execute(sql({ text, row: { token: 'text' } }), parameters);
    return row?.token;
  };

  const claim = (ms = LONG_MS): Promise<string | undefined> =>
    run(
      `UPDATE spec.work SET ${lease.claimed(1)} WHERE id = 1 AND ${lease.isFree} RETURNING ${lease.token} AS token`,
      [ms],
    );

  const claimed = async (ms?: number): Promise<string> => {
    const token = await claim(ms);
    if (token === undefined) throw new Error('The row was not free.');
    return token;
  };

  const renew = (token: string, ms = LONG_MS): Promise<string | undefined> =>
    run(
      `UPDATE spec.work SET ${lease.renewed(1)} WHERE ${lease.isOwner(2)} RETURNING ${lease.token} AS token`,
      [ms, token],
    );

  const write = (condition: string, token: string): Promise<string | undefined> =>
    run(`UPDATE spec.work SET text = 'mine' WHERE ${condition} RETURNING 'done' AS token`, [token]);

  test('has one owner, however many claim at once', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim()));
    expect(claims.filter((token) => token !== undefined)).toHaveLength(1);
    expect(await claim()).toBeUndefined();
  });

  test('has its owner while it is renewed', async () => {
    const renewed = await renew(await claimed());
    expect(await write(lease.isOwner(1), renewed ?? '')).toBe('done');
    expect(await claim()).toBeUndefined();
  });

  test('that has run out belongs to its owner until another one claims it, and may be renewed', async () => {
    const token = await claimed(-1);
    expect(await write(lease.isOwner(1), token)).toBe('done');
    const renewed = await renew(token);
    expect(await write(lease.isOwner(1), renewed ?? '')).toBe('done');
    expect(await claim()).toBeUndefined();
  });

  test('is taken over when it has run out, and then a late owner can neither write nor renew', async () => {
    const late = await claimed(-1);
    const next = await claimed();
    expect(next).not.toBe(late);
    expect(await write(lease.isOwner(1), late)).toBeUndefined();
    expect(await renew(late)).toBeUndefined();
    expect(await write(lease.isOwner(1), next)).toBe('done');
  });

  test('that is released is free at once', async () => {
    const token = await claimed();
    await run(`UPDATE spec.work SET ${lease.released} WHERE ${lease.isOwner(1)} RETURNING 'done' AS token`, [
      token,
    ]);
    expect(await claim()).toBeDefined();
  });

  describe('whose attempts are noted', () => {
    const begin = async (ms = LONG_MS): Promise<string | undefined> =>
      run(
        `UPDATE spec.work SET ${lease.claimed(1)}, ${lease.begun}
         WHERE id = 1 AND ${lease.isFree} AND ${lease.mayBegin} RETURNING ${lease.token} AS token`,
        [ms],
      );

    const change = (assignment: string, token: string | undefined, ...more: number[]): Promise<unknown> =>
      run(`UPDATE spec.work SET ${assignment} WHERE ${lease.isOwner(1)} RETURNING 'done' AS token`, [
        token,
        ...more,
      ]);

    const isSetAside = async (): Promise<boolean> =>
      (await run(`SELECT 'yes' AS token FROM spec.work WHERE ${lease.isSetAside}`, [])) === 'yes';

    test('is set aside when three in a row were not ended, and not before the third is over', async () => {
      for (const ms of [-1, -1, LONG_MS]) {
        expect(await isSetAside()).toBe(false);
        expect(await begin(ms)).toBeDefined();
      }
      expect(await isSetAside()).toBe(false);
      await database.query(`UPDATE spec.work SET until = now() - interval '1 s'`);
      expect(await isSetAside()).toBe(true);
      expect(await begin()).toBeUndefined();
    });

    test('is not set aside when one of three ended, or was taken back, in time', async () => {
      await begin(-1);
      await begin(-1);
      await change(`${lease.released}, ${lease.ended}`, await begin());
      for (const unfinished of [0, 1]) {
        const token = await begin(-1);
        if (unfinished === 1) await change(lease.takenBack(2), token, unfinished);
      }
      expect(await begin(-1)).toBeDefined();
      expect(await isSetAside()).toBe(false);
    });

    test('counts only from what was done last', async () => {
      await begin(-1);
      await begin(-1);
      await change(lease.gotOn, await begin(-1));
      expect(await isSetAside()).toBe(false);
      await begin(-1);
      await begin(-1);
      expect(await isSetAside()).toBe(true);
    });
  });
});
