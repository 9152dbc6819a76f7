import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ROWS_OF_ALL, WorkLeases } from '@loci/persistence';
import { v7 as uuidv7 } from 'uuid';
import { SemanticSpec } from '../../../test/semantic-spec.js';
import { SCHEMA } from '../../database.js';
import { SemanticServiceEnv } from '../../env.js';
import { type OpenProject } from '../../projects/project.js';
import { FEED_CURSOR } from '../backlog/followed.js';
import { LOCK_RELEARNING, SET_RELEARNING } from '../backlog/relearning-position.sql.js';
import { CursorsRepository } from './cursors.repository.js';
import { LearnedMessages } from './learned-messages.js';

const STARTED = '2026-01-01T00:00:00.000000Z';

let spec: SemanticSpec;
let learned: LearnedMessages;
/** Is learned again. */
let again: OpenProject;
let other: OpenProject;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  const leases = new WorkLeases({ schema: SCHEMA }, spec.unitOfWork);
  const cursors = new CursorsRepository(spec.unitOfWork, leases, spec.logger);
  learned = new LearnedMessages(cursors, spec.unitOfWork, new SemanticServiceEnv());
});

beforeEach(async () => {
  await spec.query(`DELETE FROM ${SCHEMA}.ingestion_cursors`);
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_cursors (name, position) VALUES ($1, ARRAY['infinity', gen_random_uuid()::text])`,
    [FEED_CURSOR],
  );
  again = await spec.newProject({ orgId: uuidv7(), projectId: 'again' });
  other = await spec.newProject({ orgId: uuidv7(), projectId: 'other' });
});

afterAll(() => spec.close());

/** Messages that were learned one after the other, so many seconds ago the first. */
async function learn(project: OpenProject, count: number, secondsAgo: number): Promise<void> {
  const { uid: setUid } = await spec.newSet(project);
  const { orgId, projectId } = project.tenant;
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_jobs (set_uid, org_id, project_uid) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [setUid, orgId, project.uid],
  );
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_messages
       (set_uid, episode_uid, org_id, project_id, project_uid, said_at, received_at, taken_at, done_at)
     SELECT $1, gen_random_uuid(), $2, $3, $4, now(), now(), now(), now() + (n * 0.001 - $6) * interval '1 second'
     FROM generate_series(1, $5::int) AS n`,
    [setUid, orgId, projectId, project.uid, count, secondsAgo],
  );
}

const rowsOf = async ({ uid }: OpenProject): Promise<number> =>
  (await spec.query(`SELECT FROM ${SCHEMA}.ingestion_messages WHERE project_uid = $1`, [uid])).length;

const position = async (): Promise<unknown> =>
  (await spec.query(`SELECT position FROM ${SCHEMA}.ingestion_cursors WHERE name = 'learned-messages'`))[0];

async function remove(): Promise<void> {
  await spec.query(
    `UPDATE ${SCHEMA}.ingestion_cursors SET next_at = now() WHERE name NOT LIKE 'relearning:%'`,
  );
  await learned.remove(new AbortController().signal, 0);
}

const relearn = async (project: OpenProject, { isLast }: { readonly isLast: boolean }): Promise<void> => {
  const scope = ROWS_OF_ALL;
  await spec.unitOfWork.execute(LOCK_RELEARNING, [project.uid, STARTED], { scope });
  await spec.unitOfWork.execute(SET_RELEARNING, [project.uid, [STARTED, 'done'], isLast], { scope });
};

test('rows go although another project, which was learned before, is being learned again; its rows go when that ends', async () => {
  await learn(again, 3, 90);
  await learn(other, 1_200, 60);
  await relearn(again, { isLast: false });
  await remove();
  expect(await rowsOf(other)).toBe(0);
  expect(await rowsOf(again)).toBe(3);
  await learn(again, 2, 10);
  await learn(other, 4, 5);
  await remove();
  expect(await rowsOf(other)).toBe(0);
  expect(await rowsOf(again)).toBe(5);
  await relearn(again, { isLast: true });
  await remove();
  expect(await rowsOf(again)).toBe(0);
});

test('what one project left goes although another one is still being learned again', async () => {
  await learn(again, 3, 90);
  await learn(other, 3, 80);
  await relearn(again, { isLast: false });
  await relearn(other, { isLast: false });
  await remove();
  expect([await rowsOf(again), await rowsOf(other)]).toEqual([3, 3]);
  await relearn(other, { isLast: true });
  await remove();
  expect([await rowsOf(again), await rowsOf(other)]).toEqual([3, 0]);
  await spec.query(
    `UPDATE ${SCHEMA}.ingestion_cursors SET next_at = now() WHERE name = 'relearning:' || $1::uuid`,
    [again.uid],
  );
  await remove();
  expect(await rowsOf(again)).toBe(0);
});

test('without a project whose relearning ended, nothing is read twice', async () => {
  await learn(again, 2, 90);
  await relearn(again, { isLast: false });
  await learn(other, 2, 60);
  await remove();
  const behind = await position();
  await remove();
  expect(await position()).toEqual(behind);
});

test('a worker that looks when it is not time leaves what was left to the next turn', async () => {
  await learn(again, 2, 90);
  await relearn(again, { isLast: false });
  await remove();
  await relearn(again, { isLast: true });
  expect(await learned.remove(new AbortController().signal, 0)).toBe(false);
  const left = `SELECT FROM ${SCHEMA}.ingestion_cursors WHERE name LIKE 'left:%'`;
  expect(await spec.query(left)).toHaveLength(1);
  await remove();
  expect(await spec.query(left)).toEqual([]);
  expect(await rowsOf(again)).toBe(0);
});
