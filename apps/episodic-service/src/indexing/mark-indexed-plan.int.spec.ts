import { expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type TestDatabase } from '@loci/testing';
import { batchOf, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { MARK_INDEXED } from './mark-indexed.sql.js';

/** Indexed before; behind each of the new ones in the order of time comes one of these. */
const KNOWN = 1_000;
const NEW = 100;

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

test('of new vectors nothing is looked up for each pair with what is known, though PostgreSQL takes the table to be empty', async () => {
  await database.query('ALTER TABLE episodic.episodes SET (autovacuum_enabled = false)');
  const other = await replica.openProject();
  await replica.episodes.add(other.tenant, batchOf({}, {}, {}));
  // as it does where it looked while what was there was not committed yet, or deleted
  await replica.unitOfWork.single(async (manager) => {
    await manager.query('DELETE FROM episodic.episodes');
    await manager.query('ANALYZE episodic.episodes');
  }, ROWS_OF_ALL);
  const project = await replica.openProject();
  const { uid } = await replica.activate(project, 'spec-model-4-00000000');
  await replica.episodes.add(project.tenant, batchOf(...Array.from({ length: KNOWN }, () => ({}))));
  await database.query(
    'UPDATE episodic.episodes SET indexed_at = now(), embedded_after = gen_random_uuid() WHERE project_uid = $1',
    [project.projectUid],
  );
  const fresh = batchOf(...Array.from({ length: NEW }, () => ({})));
  await replica.episodes.add(project.tenant, fresh);
  const uids = fresh.episodes.map((episode) => episode.uid);
  // each of the new ones is said right before one that is known
  await database.query(
    `UPDATE episodic.episodes AS episode SET created_at = known.created_at - interval '1 second'
     FROM (SELECT uid, row_number() OVER (ORDER BY uid) AS at FROM unnest($1::uuid[]) AS uid) AS given,
          (SELECT created_at, row_number() OVER (ORDER BY uid) AS at FROM episodic.episodes WHERE project_uid = $2) AS known
     WHERE episode.uid = given.uid AND known.at = given.at`,
    [uids, project.projectUid],
  );
  const values = [project.projectUid, uids, uids.map(() => null), uid];
  const plan: unknown = await replica.unitOfWork.single(
    (manager) => manager.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${MARK_INDEXED.text}`, values),
    ROWS_OF_ALL,
  );
  const loops = [...JSON.stringify(plan).matchAll(/"Actual Loops":(\d+)/g)].map(([, count]) => Number(count));
  expect(Math.max(...loops)).toBeGreaterThanOrEqual(NEW);
  expect(Math.max(...loops)).toBeLessThanOrEqual(KNOWN + NEW);
});
