import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { rowsRead } from '../../test/rows-read.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { listFeatures } from '../features/list-features.sql.js';
import { newestOfEachCategory } from '../features/newest-of-each-category.sql.js';
import { readable } from '../features/readable-features.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { type MemorySet, toSet } from '../sets/set.js';
import { ofUserIn } from './user-features.js';

const USERS = 2_000;
const FACTS_OF_EACH = 3;

const PROJECT = uuidv7();
const TENANT = { orgId: 'acme', projectId: 'support' };
const SCOPE: Scope = { orgId: 'acme', projectUid: PROJECT, organization: 'none' };

let spec: SemanticSpec;
let sets: readonly MemorySet[];

beforeAll(async () => {
  spec = await SemanticSpec.create();
  await spec.projects.open({ tenant: TENANT, projectUid: PROJECT });
  const ofAll = toSet({ tenant: TENANT, isOrgLevel: false, tags: {} }, PROJECT);
  const ofUser = toSet({ tenant: TENANT, isOrgLevel: false, tags: { producer_id: 'user7' } }, PROJECT);
  sets = [ofAll, ofUser];
  await spec.sets.register(sets);
  await fill(ofAll);
});

afterAll(() => spec.close());

/** Facts of many users, each of which cites a message of its user. */
async function fill({ uid }: MemorySet): Promise<void> {
  const facts = `generate_series(1, ${USERS * FACTS_OF_EACH}) AS fact`;
  await spec.unitOfWork.single(async (manager) => {
    await manager.query(
      `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, subject, category, tag, name, value, metadata, by_client)
       SELECT md5(fact::text)::uuid, $1, 'acme', $2, 'user' || fact % ${USERS}, 'profile', 'tag', fact, fact, '{}', false FROM ${facts}`,
      [uid, PROJECT],
    );
    await manager.query(
      `INSERT INTO ${SCHEMA}.citations (set_uid, feature_uid, episode_uid, project_uid, producer_id, producer_role, produced_for_id, created_at, metadata)
       SELECT $1, md5(fact::text)::uuid, gen_random_uuid(), $2, 'user' || fact % ${USERS}, 'user', '', now(), '{}' FROM ${facts}`,
      [uid, PROJECT],
    );
    for (const table of ['features', 'citations', 'sets']) await manager.query(`ANALYZE ${SCHEMA}.${table}`);
  }, rowsIn(SCOPE));
}

test('the profile and a list of one user read what is known of this user alone, however many there are', async () => {
  const uids = sets.map(({ uid }) => uid);
  const ofSets = ofUserIn('user7', sets);
  const newest = readable(SCOPE, { ofSets }, 4);
  const profile = [uids, 50, 1_000_000, ...newest.parameters];
  expect(
    await rowsRead(spec.unitOfWork, newestOfEachCategory(newest).text, profile, rowsIn(SCOPE)),
  ).toBeLessThan(200);
  const listed = readable(SCOPE, { ofSets }, 5);
  const list = [uids, 50, 0, 1_000_000, ...listed.parameters];
  expect(await rowsRead(spec.unitOfWork, listFeatures(listed).text, list, rowsIn(SCOPE))).toBeLessThan(200);
});

test('a profile has what is known least of beside what is known most of', async () => {
  const [ofAll] = sets;
  await spec.unitOfWork.single(
    (manager) =>
      manager.query(
        `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, subject, category, tag, name, value, metadata, by_client, updated_at)
         VALUES (gen_random_uuid(), $1, 'acme', $2, 'user7', 'diet', 'food', 'dish', 'noodles', '{}', true, '2020-01-01')`,
        [ofAll?.uid, PROJECT],
      ),
    rowsIn(SCOPE),
  );
  const wanted = readable(SCOPE, { ofSets: ofUserIn('user7', sets) }, 4);
  const values = [sets.map(({ uid }) => uid), 3, 1_000_000, ...wanted.parameters];
  const rows = await spec.unitOfWork.execute(newestOfEachCategory(wanted), values, { scope: rowsIn(SCOPE) });
  expect(rows.map(({ category }) => category)).toEqual(['profile', 'profile', 'diet']);
});
