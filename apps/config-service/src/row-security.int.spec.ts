import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Database,
  Idempotency,
  ROWS_OF_ALL,
  type RowScope,
  rowsOf,
  runMigrations,
  UnitOfWork,
} from '@loci/persistence';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { SCHEMA } from './database.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations/migrations.js';

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES };
  await runMigrations({ ...options, migrations: [...MIGRATIONS] });
  database = await Database.connect(options, new RecordingLogger());
  unitOfWork = new UnitOfWork(database);
  const idempotency = new Idempotency(options, unitOfWork);
  for (const org of ['acme', 'globex', null]) await fill(idempotency, org);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** One row in each table; without an organization what belongs to the deployment. */
async function fill(idempotency: Idempotency, org: string | null): Promise<void> {
  await unitOfWork.single(async (manager) => {
    if (org !== null) {
      await manager.query(
        `INSERT INTO config.projects (uid, org_id, project_id, description, config)
         VALUES (gen_random_uuid(), $1, 'p', '', '{}')`,
        [org],
      );
    }
    await manager.query(
      `INSERT INTO config.api_keys (id, name, hint, scopes, org_id, digest)
       VALUES (gen_random_uuid(), 'k', 'h', '{read}', $1, gen_random_uuid()::text)`,
      [org],
    );
    await manager.query(
      `SELECT config.append_audit(jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'at', now(),
         'requestId', 'r', 'actorKind', 'api-key', 'actor', 'a', 'operation', 'o', 'orgId', $1::text,
         'resources', '[]'::jsonb)), interval '1 day')`,
      [org],
    );
  }, ROWS_OF_ALL);
  const scope = { tenant: org ?? '', operation: 'o' };
  await idempotency.run(scope, { key: 'k', fingerprint: 'f' }, () => Promise.resolve({}));
}

const COLUMNS = { projects: 'org_id', api_keys: 'org_id', audit: 'org_id', idempotency: 'tenant' } as const;

const owners = async (table: keyof typeof COLUMNS, scope?: RowScope): Promise<unknown[]> => {
  const column = COLUMNS[table];
  const rows = await unitOfWork.single(
    (manager) =>
      manager.query<{ owner: string | null }[]>(
        `SELECT ${column} AS owner FROM config.${table} ORDER BY ${column}`,
      ),
    scope,
  );
  return rows.map(({ owner }) => owner);
};

test.each(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])(
  'a query of %s that forgot its predicate sees the rows of its own organization, and without a scope none',
  async (table) => {
    expect(await owners(table, rowsOf('acme'))).toEqual(['acme']);
    expect(await owners(table)).toEqual([]);
    expect(await owners(table, ROWS_OF_ALL)).toEqual(expect.arrayContaining(['acme', 'globex']));
  },
);

test('a row cannot be written into another organization', async () => {
  const write = unitOfWork.single(
    (manager) => manager.query(`UPDATE config.api_keys SET org_id = 'globex'`),
    rowsOf('acme'),
  );
  await expect(write).rejects.toThrow(/row-level security/);
});
