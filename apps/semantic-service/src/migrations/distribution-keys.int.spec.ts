import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runMigrations } from '@loci/persistence';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { DistributionKeys1763700000231 } from './0231-distribution-keys.js';
import { MIGRATIONS } from './migrations.js';

/** More than are given their set at once. */
const CITATIONS = 10_001;

const SET = uuidv7();
const PROJECT = uuidv7();
const FEATURES = [uuidv7(), uuidv7()];

let database: TestDatabase;

const migrate = (migrations: readonly (typeof MIGRATIONS)[number][]): Promise<string[]> =>
  runMigrations({ url: database.url, schema: SCHEMA, migrations: [...migrations] });

beforeAll(async () => {
  database = await TestDatabase.create();
});

afterAll(() => database.drop());

test('what was cited before belongs to the set of its feature, and the new keys are whole', async () => {
  await migrate(MIGRATIONS.slice(0, MIGRATIONS.indexOf(DistributionKeys1763700000231)));
  await database.query(
    `WITH project AS (
       INSERT INTO semantic.projects (uid, org_id, project_id) VALUES ($2, 'acme', 'main') RETURNING uid)
     INSERT INTO semantic.sets (uid, id, org_id, project_uid, kind, tags, tag_values)
     SELECT $1, 'a set', 'acme', uid, 'project_set', '{}', '{}' FROM project`,
    [SET, PROJECT],
  );
  for (const [index, uid] of FEATURES.entries()) {
    await database.query(
      `INSERT INTO semantic.features (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client)
       VALUES ($1, $2, 'acme', $3, 'profile', 'tag', $4, 'value', '{}', false)`,
      [uid, SET, PROJECT, `name ${index}`],
    );
    await database.query(
      `INSERT INTO semantic.citations (feature_uid, episode_uid, project_uid, producer_id, producer_role, produced_for_id, created_at, metadata)
       SELECT $1, gen_random_uuid(), $2, 'ann', 'user', '', now(), '{}' FROM generate_series(1, $3::int)`,
      [uid, PROJECT, CITATIONS],
    );
  }
  await migrate(MIGRATIONS);
  expect(
    await database.query(
      'SELECT set_uid, count(*)::int AS citations FROM semantic.citations GROUP BY set_uid',
    ),
  ).toEqual([{ set_uid: SET, citations: FEATURES.length * CITATIONS }]);
  expect(
    await database.query(
      `SELECT indexrelid::regclass FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE relnamespace = 'semantic'::regnamespace AND NOT (indisvalid AND indisready)`,
    ),
  ).toEqual([]);
});
