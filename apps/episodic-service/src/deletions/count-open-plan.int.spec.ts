import { beforeEach, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type PlanRow, rowsReadBy, type TestDatabase } from '@loci/testing';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { COUNT_OPEN_DELETIONS_OF_ORGANIZATION } from './count-open-deletions-of-organization.sql.js';

const OPEN = 3;

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
  await database.query('ALTER TABLE episodic.deletions SET (autovacuum_enabled = false)');
});

beforeEach(() => database.query('DELETE FROM episodic.deletions'));

const analyze = (): Promise<unknown> => database.query('ANALYZE episodic.deletions');

/** Of one organization few that are open and many that are done, and many open ones of another. */
async function fill(): Promise<void> {
  const rows = [
    ['few', 'deleting', OPEN],
    ['few', 'done', 5_000],
    ['many', 'deleting', 5_000],
  ] as const;
  for (const [orgId, state, count] of rows) {
    const { projectUid } = await replica.openProject(orgId);
    await database.query(
      `INSERT INTO episodic.deletions (uid, project_uid, organization, matching, state)
       SELECT gen_random_uuid(), $1, $2, 1, $3 FROM generate_series(1, $4::int)`,
      [projectUid, orgId, state, count],
    );
  }
}

test.each([
  ['when it looked while there were none', [analyze, fill]],
  ['when it has seen them', [fill, analyze]],
])('the open deletions of an organization are counted by reading those alone: %s', async (_, steps) => {
  for (const step of steps) await step();
  const read = await replica.unitOfWork.single(
    (manager) =>
      rowsReadBy(
        (text, parameters) => manager.query<PlanRow[]>(text, parameters),
        COUNT_OPEN_DELETIONS_OF_ORGANIZATION.text,
        ['few', 5_000],
        'deletions',
      ),
    ROWS_OF_ALL,
  );
  expect(read).toBe(OPEN);
});
