import { expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { entityManager, ROWS_OF_ALL, rowsOf } from '@loci/persistence';
import { type TestDatabase } from '@loci/testing';
import { batchOf, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { SEARCHED_PROJECT } from './searched-project.sql.js';

const WAITING = 5_000;

interface Explained {
  readonly 'QUERY PLAN': readonly [
    { readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>> },
  ];
}

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

/** By the plan for all projects, which a connection has after a few searches. */
const blocksRead = ({ projectUid, tenant: { orgId, projectId } }: ProjectReference): Promise<number> =>
  replica.unitOfWork.run(
    async (tx) => {
      const manager = entityManager(tx);
      await manager.query(`PREPARE searched AS ${SEARCHED_PROJECT.text}`);
      await manager.query('SET LOCAL plan_cache_mode = force_generic_plan');
      const asked = `'${projectUid}', '${orgId}', '${projectId}'`;
      const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE searched(${asked})`;
      const [row] = await manager.query<Explained[]>(explain);
      await manager.query('DEALLOCATE searched');
      const plan = row?.['QUERY PLAN'][0].Plan;
      return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
    },
    { scope: rowsOf(projectUid) },
  );

test('a project in which nothing waits pays nothing for what waits of others', async () => {
  const [quiet, behind] = [await replica.openProject(), await replica.openProject()];
  await replica.episodes.add(quiet.tenant, batchOf({}, {}));
  await database.query('UPDATE episodic.episodes SET indexed_at = now()');
  await database.query('ANALYZE episodic.episodes');
  await blocksRead(quiet);
  const before = await blocksRead(quiet);
  await replica.addMany(behind.projectUid, WAITING, 'now()');
  await replica.unitOfWork.single(
    (manager) =>
      manager.query(
        `UPDATE episodic.episodes SET in_long_term = true, added_at = added_at - random() * interval '1 hour'
         WHERE project_uid = $1`,
        [behind.projectUid],
      ),
    ROWS_OF_ALL,
  );
  // as PostgreSQL does by itself within a minute
  await database.query('ANALYZE episodic.episodes');
  await blocksRead(quiet);
  expect(await blocksRead(quiet)).toBeLessThan(before + 20);
});
