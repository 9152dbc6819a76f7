import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Database, ROWS_OF_ALL, runMigrations, UnitOfWork } from '@loci/persistence';
import { eventually, type PlanRow, RecordingLogger, rowsReadBy, TestDatabase } from '@loci/testing';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { KEYS_NOT_NOTED } from './names-not-noted.sql.js';
import { UsedNames } from './used-names.js';

/** More than are looked at in one step. */
const KEYS = 12_000;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let logger: RecordingLogger;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: [...MIGRATIONS] });
  database = await Database.connect({ url, schema: SCHEMA, entities: ENTITIES }, new RecordingLogger());
  unitOfWork = new UnitOfWork(database);
});

beforeEach(async () => {
  logger = new RecordingLogger();
  for (const table of ['api_keys', 'webhooks', 'quota_limits', 'bound_names'])
    await testDatabase.query(`DELETE FROM config.${table}`);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** As a process of the version before stores it. */
async function addUnnoted(): Promise<void> {
  await testDatabase.query(
    `INSERT INTO config.api_keys (id, name, hint, scopes, org_id, project_id, digest, revoked_at)
     SELECT gen_random_uuid(), 'x', 'x', '{read}', 'org ' || n, CASE n % 3 WHEN 0 THEN 'p' END, n::text,
            CASE n % 3 WHEN 1 THEN now() END
     FROM generate_series(1, ${KEYS}) AS n`,
  );
  await testDatabase.query(
    `INSERT INTO config.api_keys (id, name, hint, scopes, digest) VALUES (gen_random_uuid(), 'x', 'x', '{admin}', 'x')`,
  );
  await testDatabase.query(
    `INSERT INTO config.webhooks (id, org_id, url, description, secret, position)
     SELECT gen_random_uuid(), org_id, 'https://example.com', '', 'x', 0 FROM (VALUES ('hooks'), (NULL)) AS w (org_id)`,
  );
  await testDatabase.query(
    `INSERT INTO config.quota_limits (org_id, quota, max) VALUES ('quotas', 'keys', 1), ('quotas', 'webhooks', 1)`,
  );
}

const noted = async (): Promise<unknown> => {
  const [row] = await testDatabase.query<{ names: number }>(
    'SELECT count(*)::int AS names FROM config.bound_names',
  );
  return row?.names;
};

/** Two thirds of the keys are valid, half of these of a project; one webhook, one organization with quotas. */
const NAMES = (KEYS / 3) * 3 + 2;

test('the names of all valid keys, webhooks and quotas are noted, once', async () => {
  await addUnnoted();
  const names = new UsedNames(unitOfWork, logger);
  await names.note();
  expect(await noted()).toBe(NAMES);
  await names.note();
  expect(await noted()).toBe(NAMES);
});

test('a start waits for none of it, and what fails is logged and tried again', async () => {
  await addUnnoted();
  let calls = 0;
  const failing = {
    single: (...given: Parameters<UnitOfWork['single']>) => {
      calls += 1;
      return calls === 3 ? Promise.reject(new Error('statement timeout')) : unitOfWork.single(...given);
    },
  } as unknown as UnitOfWork;
  const names = new UsedNames(failing, logger);
  names.onApplicationBootstrap();
  await eventually(async () => (await noted()) === NAMES, { what: 'all names are noted' });
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
  await names.onModuleDestroy();
});

test('a step reads as many keys as it is told to, however many keys and noted names there are', async () => {
  await addUnnoted();
  await new UsedNames(unitOfWork, logger).note();
  for (const table of ['api_keys', 'bound_names']) await testDatabase.query(`ANALYZE config.${table}`);
  const first = '00000000-0000-0000-0000-000000000000';
  const read = await unitOfWork.single(
    (manager) =>
      rowsReadBy((text, values) => manager.query<PlanRow[]>(text, values), KEYS_NOT_NOTED.text, [first, 100]),
    ROWS_OF_ALL,
  );
  expect(read).toBeGreaterThanOrEqual(100);
  expect(read).toBeLessThan(400);
});
