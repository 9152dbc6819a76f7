import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AccessBounds } from '@loci/contracts';
import { Database, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { type ApiKey } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const ALL = { offset: 0, limit: 100 };
const APOLLO = { orgId: 'acme', projectId: 'apollo' };

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let keys: ApiKeysRepository;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({
    url,
    schema: SCHEMA,
    migrations: [...MIGRATIONS],
  });
  const logger = new PinoLogger({ service: 'spec', level: 'silent' });
  database = await Database.connect({ url, schema: SCHEMA, entities: ENTITIES }, logger);
  unitOfWork = new UnitOfWork(database);
  keys = new ApiKeysRepository(unitOfWork);
});

beforeEach(() => testDatabase.query('DELETE FROM config.api_keys'));

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const secret = (digest: string) => ({ digest, hint: digest });

const add = (bounds: AccessBounds, digest: string, expiresAt?: Date, producer?: string): Promise<ApiKey> =>
  unitOfWork.run((tx) =>
    keys.add(
      { id: uuidv7(), name: 'x', scopes: ['read'], bounds, producer, expiresAt, ...secret(digest) },
      tx,
    ),
  );

const revoke = (within: AccessBounds, { id }: ApiKey): Promise<boolean> =>
  unitOfWork.run(async (tx) => (await keys.revoke(within, id, tx)) !== undefined);

const rotate = (within: AccessBounds, { id }: ApiKey, digest: string, graceSeconds = 0) =>
  unitOfWork.run((tx) => keys.rotate(within, id, { secret: secret(digest), graceSeconds }, tx));

const find = async (digest: string) => (await keys.findValid([digest]))[0];

const isValid = async (digest: string): Promise<boolean> => (await find(digest)) !== undefined;

test('a key is found by its secret until it expires', async () => {
  const key = await add(APOLLO, 'a');
  const over = new Date(Date.now() - 1);
  await add(APOLLO, 'b', over);
  expect(await find('a')).toEqual({ digest: 'a', key, validUntil: undefined, isFormer: false });
  expect([await isValid('b'), await isValid('nobody')]).toEqual([false, false]);
});

test('many secrets are looked for at once; those that no valid key has are left out', async () => {
  const made = await Promise.all(['a', 'b', 'c'].map((digest) => add(APOLLO, digest)));
  const [first, second] = made;
  if (!first || !second) throw new Error('Three keys were made.');
  await revoke({}, first);
  await rotate({}, second, 'd', 3600);
  const found = await keys.findValid(['a', 'b', 'c', 'd', 'nobody']);
  expect(found.map(({ digest, key }) => [digest, key.id]).sort()).toEqual([
    ['b', second.id],
    ['c', made[2]?.id],
    ['d', second.id],
  ]);
});

test('secrets are tagged with one key, made with the tables', async () => {
  expect(await keys.tagKey()).toHaveLength(32);
  expect(await keys.tagKey()).toEqual(await keys.tagKey());
});

describe('after a rotation', () => {
  test('the former secret is valid for the grace, and says until when', async () => {
    const key = await add(APOLLO, 'a');
    expect(await rotate({}, key, 'b', 3600)).toMatchObject({ id: key.id, hint: 'b' });
    const former = await find('a');
    expect(former?.validUntil?.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    expect((await find('b'))?.validUntil).toBeUndefined();
    await testDatabase.query(`UPDATE config.api_keys SET former_expires_at = now() - interval '1 second'`);
    expect([await isValid('a'), await isValid('b')]).toEqual([false, true]);
  });

  test('without grace the former secret is over, and so are those before it', async () => {
    const key = await add(APOLLO, 'a');
    await rotate({}, key, 'b', 3600);
    await rotate({}, key, 'c', 3600);
    expect([await isValid('a'), await isValid('b'), await isValid('c')]).toEqual([false, true, true]);
    await rotate({}, key, 'd');
    expect([await isValid('b'), await isValid('c'), await isValid('d')]).toEqual([false, false, true]);
  });
});

test('a key keeps the producer that it speaks for', async () => {
  const key = await add(APOLLO, 'a', undefined, 'bot');
  expect(key).toMatchObject({ producer: 'bot' });
  expect(await rotate({}, key, 'b')).toMatchObject({ producer: 'bot' });
  expect((await keys.list({}, ALL)).keys).toMatchObject([{ producer: 'bot' }]);
});

test('those that have been over for long are revoked in steps, and no others', async () => {
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  for (const [index, hours] of [30, 26, 25].entries()) await add(APOLLO, `over-${index}`, hoursAgo(hours));
  const shown = [await add(APOLLO, 'recent', hoursAgo(23)), await add(APOLLO, 'valid', hoursAgo(-1))];
  shown.push(await add(APOLLO, 'endless'));
  expect([await keys.revokeExpired(24, 2), await keys.revokeExpired(24, 2)]).toEqual([2, 1]);
  expect(await keys.revokeExpired(24, 2)).toBe(0);
  expect((await keys.list({}, ALL)).keys).toEqual(shown.reverse());
});

test('a revoked key is over with every secret that it had, and nothing brings it back', async () => {
  const key = await add(APOLLO, 'a');
  await rotate({}, key, 'b', 3600);
  expect([await revoke({}, key), await revoke({}, key)]).toEqual([true, false]);
  expect([await isValid('a'), await isValid('b')]).toEqual([false, false]);
  expect(await rotate({}, key, 'c')).toBeUndefined();
  expect(await keys.list({}, ALL)).toEqual({ keys: [], total: 0 });
});

test('no caller lists, rotates or revokes a key outside its bounds', async () => {
  const apollo = await add(APOLLO, 'a');
  const acme = await add({ orgId: 'acme' }, 'b');
  const everywhere = await add({}, 'c');
  const zeus = { orgId: 'acme', projectId: 'zeus' };
  const globex = { orgId: 'globex' };
  for (const outside of [zeus, globex]) {
    for (const key of [apollo, acme, everywhere]) {
      expect(await revoke(outside, key)).toBe(false);
      expect(await rotate(outside, key, 'x')).toBeUndefined();
    }
    expect((await keys.list(outside, ALL)).total).toBe(0);
  }
  expect(await revoke(APOLLO, acme)).toBe(false);
  expect(await revoke({ orgId: 'acme' }, everywhere)).toBe(false);
  expect((await keys.list({ orgId: 'acme' }, ALL)).keys).toEqual([acme, apollo]);
  expect((await keys.list({}, { offset: 1, limit: 1 })).keys).toEqual([acme]);
});

test('the database keeps nothing that a key could be made from', async () => {
  await add(APOLLO, 'a');
  const [row] = await testDatabase.query<Record<string, unknown>>('SELECT * FROM config.api_keys');
  expect(Object.keys(row ?? {})).not.toContain('secret');
});
