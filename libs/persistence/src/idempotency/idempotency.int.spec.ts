import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { notFound } from '@loci/contracts';
import { eventually } from '@loci/testing';
import { entityManager, type Transaction } from '../database/transaction.js';
import { RetentionSweeper } from '../retention/retention-sweeper.js';
import { SpecDatabase } from '../../test/spec-database.js';
import { Idempotency } from './idempotency.js';

const scope = { tenant: 'org/project', operation: 'rpc.spec.v1.note.add' };
const token = { key: 'k', fingerprint: 'a'.repeat(64) };

let database: SpecDatabase;
/** Two replicas of one service. */
let one: Idempotency;
let other: Idempotency;
let sweeper: RetentionSweeper;

beforeAll(async () => {
  database = await SpecDatabase.create();
  const [first, second] = [await database.open(), await database.open()];
  one = new Idempotency(database.options, first);
  other = new Idempotency(database.options, second);
  sweeper = new RetentionSweeper(database.options, first, database.logger);
});

afterAll(() => database.drop());

beforeEach(() => database.query(`TRUNCATE spec.idempotency, spec.notes`));

let calls = 0;
const add =
  (id: number) =>
  async (tx: Transaction): Promise<object> => {
    calls += 1;
    await entityManager(tx).query(`INSERT INTO spec.notes VALUES ($1, 'x')`, [id]);
    return { b: id, a: ['\u0000', '\ud800', 1.5, null] };
  };

const notes = async (): Promise<number> => (await database.query(`SELECT id FROM spec.notes`)).length;

test('the same key gives the same answer, on any replica, and the work is done once', async () => {
  const first = await one.run(scope, token, add(1));
  const again = await other.run(scope, token, add(2));
  expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  expect(await notes()).toBe(1);
});

test('the same key with another body is a conflict, and does nothing', async () => {
  await one.run(scope, token, add(1));
  const reused = one.run(scope, { ...token, fingerprint: 'b'.repeat(64) }, add(2));
  await expect(reused).rejects.toMatchObject({ kind: 'conflict', code: 'idempotency_key_reused' });
  expect(await notes()).toBe(1);
});

test('while the first request is being worked on, the second is told so', async () => {
  let finish = (): void => undefined;
  let begun = false;
  const first = one.run(scope, token, async (tx) => {
    begun = true;
    await new Promise<void>((resolve) => (finish = resolve));
    return add(1)(tx);
  });
  await eventually(() => begun, { what: 'the first is being worked on' });
  await expect(other.run(scope, token, add(2))).rejects.toMatchObject({
    kind: 'conflict',
    code: 'idempotency_key_in_flight',
    details: { retryAfterSeconds: 1 },
  });
  finish();
  const answer = await first;
  expect(await other.run(scope, token, add(3))).toEqual(answer);
});

test('of many at once one does the work; the others get its answer or are told to wait', async () => {
  calls = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => (n % 2 ? one : other).run(scope, token, add(n))),
  );
  const answers = results.flatMap((result) =>
    result.status === 'fulfilled' ? [JSON.stringify(result.value)] : [],
  );
  const refusals = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect(new Set(answers).size).toBe(1);
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'idempotency_key_in_flight' });
  expect([await notes(), calls]).toEqual([1, 1]);
});

test('work that fails leaves nothing, and may be tried again with the same key', async () => {
  const failing = one.run(scope, token, async (tx) => {
    await add(1)(tx);
    throw notFound('project_not_found', 'gone');
  });
  await expect(failing).rejects.toMatchObject({ code: 'project_not_found' });
  expect(await notes()).toBe(0);
  await one.run(scope, token, add(1));
  expect(await notes()).toBe(1);
});

test('a process that dies in the middle leaves nothing in the way', async () => {
  const dying = one.run(scope, token, async (tx) => {
    await add(1)(tx);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`,
    );
    return {};
  });
  await expect(dying).rejects.toMatchObject({ code: 'database_unavailable' });
  await other.run(scope, token, add(2));
  expect(await notes()).toBe(1);
});

test('keys belong to a tenant and an operation', async () => {
  await one.run(scope, token, add(1));
  await one.run({ ...scope, tenant: 'org/other' }, token, add(2));
  await one.run({ ...scope, operation: 'rpc.spec.v1.note.remove' }, token, add(3));
  expect(await notes()).toBe(3);
});

test('without a token it is just a transaction', async () => {
  await one.run(scope, undefined, add(1));
  await expect(one.run(scope, undefined, add(1))).rejects.toThrow(/duplicate key/);
  expect(await database.query(`SELECT * FROM spec.idempotency`)).toEqual([]);
});

test('a key is remembered for a day, then means something new, and is removed', async () => {
  await one.run(scope, token, add(1));
  const [row] = await database.query<{ hours: number }>(
    `SELECT extract(epoch FROM expires_at - now())::float / 3600 AS hours FROM spec.idempotency`,
  );
  expect(row?.hours).toBeGreaterThan(23.9);
  await database.query(`UPDATE spec.idempotency SET expires_at = now() - interval '1 second'`);
  await one.run(scope, { ...token, fingerprint: 'b'.repeat(64) }, add(2));
  expect(await notes()).toBe(2);
  await sweeper.sweep();
  expect(await database.query(`SELECT key FROM spec.idempotency`)).toEqual([{ key: 'k' }]);
  await database.query(`UPDATE spec.idempotency SET expires_at = now() - interval '1 second'`);
  await sweeper.sweep();
  expect(await database.query(`SELECT key FROM spec.idempotency`)).toEqual([]);
});
