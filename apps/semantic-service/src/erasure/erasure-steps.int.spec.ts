import { describe, expect, test } from '@jest/globals';
import { FIRST_UID } from '@loci/indexing';
import { ROWS_OF_ALL } from '@loci/persistence';
import { v7 as uuidv7 } from 'uuid';
import { useFreshSets } from '../../test/fresh-sets.js';
import { rowsRead } from '../../test/rows-read.js';
import { ADDED_FIRST, type SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { DROP_EMPTY_LETTERS } from '../ingestion/backlog/drop-empty-letters.sql.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { EPISODES_OF_HISTORY } from './episodes-of-history.sql.js';
import { eraseRows } from './erase-rows.sql.js';
import { OWNED } from './project-rows.js';

/** More than two steps have. */
const MANY = 1_200;

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

/** Entries of the history of the set. */
const fillHistory = (rows: number): Promise<object[]> =>
  spec.query(
    `INSERT INTO ${SCHEMA}.feature_history (uid, feature_uid, set_uid, org_id, project_uid, action, origin, episodes)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, $3, 'add', 'client', '{}' FROM generate_series(1, ${rows})`,
    [set.uid, set.orgId, project.uid],
  );

const countOf = async (table: string): Promise<number> => {
  const [row] = await spec.query<{ rows: number }>(
    `SELECT count(*)::int AS rows FROM ${SCHEMA}.${table} WHERE project_uid = $1`,
    [project.uid],
  );
  return row?.rows ?? Number.NaN;
};

/** From now on, a statement that removes more rows of the table than one step has fails. */
async function refuseLargeSteps(table: string): Promise<void> {
  await spec.query(`
    CREATE OR REPLACE FUNCTION ${SCHEMA}.refuse_large_steps() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM gone) > 500 THEN RAISE EXCEPTION 'too many rows at once'; END IF;
      RETURN NULL;
    END $$`);
  await spec.query(`
    CREATE TRIGGER refuses_large_steps AFTER DELETE ON ${SCHEMA}.${table}
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse_large_steps()`);
}

test('the history of a project goes in steps', async () => {
  await fillHistory(MANY);
  await refuseLargeSteps('feature_history');
  await spec.erasure.eraseSets(project.uid);
  expect(await countOf('feature_history')).toBe(0);
});

test('which episodes of a project were deleted is forgotten in steps', async () => {
  await spec.query(
    `INSERT INTO ${SCHEMA}.deleted_episodes (project_uid, uid)
     SELECT $1, gen_random_uuid() FROM generate_series(1, ${MANY})`,
    [project.uid],
  );
  await refuseLargeSteps('deleted_episodes');
  await spec.erasure.forgetDeleted(project.uid);
  expect(await countOf('deleted_episodes')).toBe(0);
});

test('the messages of a project go in steps, and what waits in sets of its organization is counted', async () => {
  const shared = await spec.newSet(project, { isOrgLevel: true });
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_jobs (set_uid, org_id, waiting, fresh) VALUES ($1, $2, ${MANY + 1}, ${MANY + 1})`,
    [shared.uid, shared.orgId],
  );
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_messages
       (set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at)
     SELECT $1, gen_random_uuid(), $2, 'main', CASE WHEN number = 0 THEN gen_random_uuid() ELSE $3 END, now(), now(), now()
     FROM generate_series(0, ${MANY}) AS number`,
    [shared.uid, shared.orgId, project.uid],
  );
  await refuseLargeSteps('ingestion_messages');
  await spec.backlog.forgetProject(project.uid);
  expect(await countOf('ingestion_messages')).toBe(0);
  const jobs = await spec.query(`SELECT waiting, fresh FROM ${SCHEMA}.ingestion_jobs WHERE set_uid = $1`, [
    shared.uid,
  ]);
  expect(jobs).toEqual([{ waiting: 1, fresh: 1 }]);
});

test('a step of an erasure does not read the history of other projects', async () => {
  await fillHistory(5_000);
  await spec.query(`ANALYZE ${SCHEMA}.feature_history`);
  const other = await spec.newProject();
  const [history] = OWNED.filter(({ table }) => table === 'feature_history');
  const statement = eraseRows(history!).text;
  expect(await rowsRead(spec.unitOfWork, statement, [other.uid, 500], ROWS_OF_ALL)).toBeLessThan(10);
});

describe('what only the history of sets of an organization knows', () => {
  /** Sets of the organization, each with so many changes of a feature that cited an episode of the project. */
  async function fillShared(sets: number, changes: number): Promise<string[]> {
    const uids: string[] = [];
    for (let made = 0; made < sets; made += 1) {
      const shared = await spec.newSet(project, { isOrgLevel: true, tags: { room: `${made}` } });
      const found = await spec.query<{ uid: string }>(
        `INSERT INTO ${SCHEMA}.feature_history (uid, feature_uid, set_uid, org_id, action, origin, episodes, before)
         SELECT uid, uid, $1::uuid, $2, 'remove', 'client', ARRAY[uid],
                jsonb_build_object('citations', jsonb_build_array(jsonb_build_object('projectUid', $3::uuid, 'episodeUid', uid)))
         FROM (SELECT gen_random_uuid() AS uid FROM generate_series(1, $4::int)) AS one RETURNING uid`,
        [shared.uid, shared.orgId, project.uid, changes],
      );
      uids.push(...found.map(({ uid }) => uid));
    }
    return uids;
  }

  const known = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const some of spec.erasure.episodesOfHistory(project.uid)) found.push(...some);
    return found;
  };

  test('is all found, some at a time', async () => {
    const uids = await fillShared(4, 550);
    expect((await known()).sort()).toEqual(uids.sort());
  });

  test('is found behind any number of sets without history', async () => {
    await spec.query(
      `INSERT INTO ${SCHEMA}.sets (SELECT (jsonb_populate_record(one, jsonb_build_object('uid', gen_random_uuid(), 'set_id', 'other ' || n))).*
       FROM generate_series(1, 1100) AS n, ${SCHEMA}.sets AS one WHERE one.uid = $1)`,
      [(await spec.newSet(project, { isOrgLevel: true })).uid],
    );
    const uids = await fillShared(3, 2);
    expect((await known()).sort()).toEqual(uids.sort());
  });

  test('costs a step what it reads, and not the whole history', async () => {
    await fillShared(2, 5_000);
    await spec.query(`ANALYZE ${SCHEMA}.feature_history`);
    const values = [project.uid, FIRST_UID, FIRST_UID, 100];
    expect(
      await rowsRead(spec.unitOfWork, EPISODES_OF_HISTORY.text, values, ROWS_OF_ALL, 'feature_history'),
    ).toBeLessThan(500);
  });
});

test.each(['projects', 'sets'])(
  'every table that names one of the %s has an index by it, without which a removal reads them all',
  async (named) => {
    const unindexed = await spec.query(
      `SELECT conrelid::regclass::text AS table, conname AS key FROM pg_constraint AS key
     WHERE contype = 'f' AND confrelid = '${SCHEMA}.${named}'::regclass AND NOT EXISTS (
       SELECT FROM pg_index WHERE indrelid = key.conrelid AND indkey[0] = key.conkey[1] AND indisvalid)`,
    );
    expect(unindexed).toEqual([]);
  },
);

test('a deleted message costs nothing for the dead letters of others, and takes its own along', async () => {
  const [kept, own] = [uuidv7(), uuidv7()];
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_dead_letters (uid, set_uid, org_id, project_uid, category, code, reason, failures)
     SELECT uid, $1::uuid, $2, $3::uuid, 'c', 'x', 'r', 1 FROM unnest($4::uuid[]) AS uid
     UNION ALL SELECT gen_random_uuid(), $1, $2, $3, 'c', 'x', 'r', 1 FROM generate_series(1, 1000)`,
    [set.uid, set.orgId, project.uid, [kept, own]],
  );
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_jobs (set_uid, org_id, project_uid, waiting, fresh) VALUES ($1, $2, $3, 2, 2)`,
    [set.uid, set.orgId, project.uid],
  );
  const [of, beside] = [uuidv7(), uuidv7()];
  for (const [letter, episode] of [
    [own, of],
    [kept, of],
    [kept, beside],
  ]) {
    await spec.query(
      `WITH message AS (
         INSERT INTO ${SCHEMA}.ingestion_messages
           (set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at)
         VALUES ($1::uuid, $2::uuid, $3, 'main', $4, now(), $6, now()) ON CONFLICT DO NOTHING)
       INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt, letter_uid)
       VALUES ($1, $2, $5::text, 'dead', 1, $5::uuid)`,
      [set.uid, episode, set.orgId, project.uid, letter, ADDED_FIRST],
    );
  }
  await spec.forget(project.uid, [of]);
  const left = await spec.query<{ uid: string }>(`SELECT uid FROM ${SCHEMA}.ingestion_dead_letters`);
  expect(left).toHaveLength(1_001);
  expect(left).toContainEqual({ uid: kept });
  expect(await rowsRead(spec.unitOfWork, DROP_EMPTY_LETTERS.text, [[kept]], ROWS_OF_ALL)).toBeLessThan(10);
});
