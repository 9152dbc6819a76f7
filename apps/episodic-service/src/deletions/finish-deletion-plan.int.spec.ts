import { beforeEach, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type PlanRow, rowsReadBy, type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { FINISH_DELETION } from './finish-deletion.sql.js';

const OTHERS = 2_000;
const OWN = 10;

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
  await database.query('ALTER TABLE episodic.episodes SET (autovacuum_enabled = false)');
});

beforeEach(() => database.query('DELETE FROM episodic.episodes'));

const analyze = (): Promise<unknown> => database.query('ANALYZE episodic.episodes');

const removeAll = (): Promise<unknown> =>
  database.query(`UPDATE episodic.episodes SET deleted_at = now() - interval '1 hour'`);

test.each([
  ['when it looked while there were none', [analyze, removeAll]],
  ['when it has seen them', [removeAll, analyze]],
])('a deletion that ends reads no tombstones of other projects: %s', async (_, steps) => {
  const [other, { projectUid }] = [await replica.openProject(), await replica.openProject()];
  await replica.addMany(other.projectUid, OTHERS, 'now()');
  await replica.addMany(projectUid, OWN, 'now()');
  for (const step of steps) await step();
  const uid = uuidv7();
  await database.query(
    `INSERT INTO episodic.deletions (uid, project_uid, matching) VALUES ($1, $2, ${OWN})`,
    [uid, projectUid],
  );
  const read = await replica.unitOfWork.single(
    (manager) =>
      rowsReadBy(
        (text, parameters) => manager.query<PlanRow[]>(text, parameters),
        FINISH_DELETION.text,
        [uid, projectUid, new Date().toISOString()],
        'episodes',
      ),
    ROWS_OF_ALL,
  );
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThanOrEqual(OWN);
});
