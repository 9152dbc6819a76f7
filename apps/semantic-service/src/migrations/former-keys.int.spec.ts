import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { FeatureReplica, migrate } from '../../test/feature-replica.js';
import { type MemorySet } from '../sets/set.js';

let database: TestDatabase;
let replica: FeatureReplica;
let set: MemorySet;

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
  replica = await FeatureReplica.open({
    databaseUrl: database.url,
    qdrant: { url: 'http://127.0.0.1:1', apiKey: '' },
    prefix: 'none',
    embedders: new Map(),
    defaultName: () => 'none',
    leaseMs: 1_000,
  });
  set = await replica.openSet();
});

afterAll(async () => {
  await replica.close();
  await database.drop();
});

/** As statements of the version before write, whose keys were uids alone. */
const addFeature = (uid: string, value: string): Promise<unknown> =>
  database.query(
    `INSERT INTO semantic.features (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client)
     VALUES ($1, $2, $3, $4, 'profile', 'tag', 'name', $5, '{}', false)
     ON CONFLICT (uid) DO UPDATE SET value = excluded.value WHERE features.set_uid = excluded.set_uid`,
    [uid, set.uid, set.orgId, set.projectUid, value],
  );

test('a feature that the version before saves is saved, and saved again', async () => {
  const uid = uuidv7();
  await addFeature(uid, 'once');
  await addFeature(uid, 'again');
  const rows = await database.query<{ value: string }>('SELECT value FROM semantic.features WHERE uid = $1', [
    uid,
  ]);
  expect(rows).toEqual([{ value: 'again' }]);
});

test('what the version before has a feature cite belongs to the set of the feature', async () => {
  const [uid, episodeUid] = [uuidv7(), uuidv7()];
  await addFeature(uid, 'cited');
  await database.query(
    `INSERT INTO semantic.citations (feature_uid, episode_uid, project_uid, producer_id, producer_role, produced_for_id,
                                     created_at, added_at, metadata, is_bound)
     VALUES ($1, $2, $3, 'ann', 'user', '', now(), now(), '{}', false) ON CONFLICT DO NOTHING`,
    [uid, episodeUid, set.projectUid],
  );
  const rows = await database.query<{ set_uid: string }>(
    'SELECT set_uid FROM semantic.citations WHERE feature_uid = $1',
    [uid],
  );
  expect(rows).toEqual([{ set_uid: set.uid }]);
});

test('an episode that the version before notes as deleted is noted once', async () => {
  const uid = uuidv7();
  const note = (): Promise<unknown> =>
    database.query(
      `INSERT INTO semantic.deleted_episodes AS known (uid, project_uid, added_until) VALUES ($1, $2, now())
       ON CONFLICT (uid) DO UPDATE SET added_until = greatest(known.added_until, excluded.added_until)`,
      [uid, set.projectUid],
    );
  await note();
  await note();
  expect(
    await database.query('SELECT count(*)::int FROM semantic.deleted_episodes WHERE uid = $1', [uid]),
  ).toEqual([{ count: 1 }]);
});
