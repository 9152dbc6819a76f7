import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database, ROWS_OF_ALL, runMigrations, UnitOfWork } from '@loci/persistence';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { rowsRead } from '../../../test/rows-read.js';
import { SCHEMA } from '../../database.js';
import { ENTITIES } from '../../entities.js';
import { MIGRATIONS } from '../../migrations/migrations.js';
import { claimSet } from './claim-set.sql.js';
import { FIND_IDLE_ORGS } from './find-idle-orgs.sql.js';

const PROJECTS = 2_000;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES, poolSize: 1 };
  await runMigrations({ ...options, migrations: [...MIGRATIONS] });
  database = await Database.connect(options, new RecordingLogger());
  unitOfWork = new UnitOfWork(database);
  await unitOfWork.single(async (manager) => {
    // whose sets they are does not matter here
    await manager.query(`ALTER TABLE ${SCHEMA}.ingestion_jobs DROP CONSTRAINT ingestion_jobs_set_uid_fkey`);
    await manager.query(
      `INSERT INTO ${SCHEMA}.ingestion_jobs (set_uid, org_id, project_uid, state, ordered_at, run_after)
       SELECT gen_random_uuid(), 'flood', gen_random_uuid(), 'due', now(), now() - interval '1 hour'
       FROM generate_series(1, $1::int)`,
      [PROJECTS],
    );
    for (const table of ['jobs', 'orgs', 'queues'])
      await manager.query(`ANALYZE ${SCHEMA}.ingestion_${table}`);
  }, ROWS_OF_ALL);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** By the plan that serves any parameters. */
async function rowsReadBy({ text }: { readonly text: string }, values: string): Promise<number> {
  await unitOfWork.single(async (manager) => {
    await manager.query(`PREPARE looked_at AS ${text}`);
    await manager.query('SET plan_cache_mode = force_generic_plan');
  }, ROWS_OF_ALL);
  const rows = await rowsRead(unitOfWork, `EXECUTE looked_at(${values})`, [], ROWS_OF_ALL);
  await unitOfWork.single((manager) => manager.query('DEALLOCATE looked_at'), ROWS_OF_ALL);
  return rows;
}

test('a claim reads a few rows, however many projects of an organization have something due', async () => {
  expect(await rowsReadBy(claimSet(false), `60000, '{}', '{}'`)).toBeLessThan(50);
  expect(await rowsReadBy(claimSet(true), `60000, '{}', '{}'`)).toBeLessThan(50);
});

test('a look for idle queues reads what is due of each once', async () => {
  expect(await rowsReadBy(FIND_IDLE_ORGS, '200')).toBeLessThan(3 * 200);
});
