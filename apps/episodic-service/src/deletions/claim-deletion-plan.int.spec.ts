import { beforeEach, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type PlanRow, rowsReadBy, type TestDatabase } from '@loci/testing';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { CLAIM_DELETION } from './claim-deletion.sql.js';

const MANY = 5_000;

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
  await database.query('ALTER TABLE episodic.deletions SET (autovacuum_enabled = false)');
});

beforeEach(() => database.query('DELETE FROM episodic.deletions'));

const analyze = (): Promise<unknown> => database.query('ANALYZE episodic.deletions');

async function fill(): Promise<void> {
  for (const [orgId, count] of Object.entries({ many: MANY, few: 1, none: 0 })) {
    const { projectUid } = await replica.openProject(orgId);
    await database.query(
      `INSERT INTO episodic.deletions (uid, project_uid, organization, matching)
       SELECT gen_random_uuid(), $1, $2, 1 FROM generate_series(1, $3::int)`,
      [projectUid, orgId, count],
    );
  }
}

test.each([
  ['when it looked while there were none', [analyze, fill]],
  ['when it has seen them', [fill, analyze]],
])('a claim reads two deletions of each organization, however many it has: %s', async (_, steps) => {
  for (const step of steps) await step();
  const read = await replica.unitOfWork.single(
    (manager) =>
      rowsReadBy(
        (text, parameters) => manager.query<PlanRow[]>(text, parameters),
        CLAIM_DELETION.text,
        [1_000],
        'deletions',
      ),
    ROWS_OF_ALL,
  );
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(50);
});
