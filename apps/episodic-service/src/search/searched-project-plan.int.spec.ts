import { expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { entityManager, ROWS_OF_ALL, rowsOf } from '@loci/persistence';
import { blocksReadByAnyPlan, type TestDatabase } from '@loci/testing';
import { batchOf, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { SEARCHED_PROJECT } from './searched-project.sql.js';

const WAITING = 5_000;

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

const blocksRead = ({ projectUid, tenant: { orgId, projectId } }: ProjectReference): Promise<number> =>
  replica.unitOfWork.run(
    (tx) =>
      blocksReadByAnyPlan(
        (statement) => entityManager(tx).query(statement),
        SEARCHED_PROJECT.text,
        ['uuid', 'text', 'text'],
        [`'${projectUid}'`, `'${orgId}'`, `'${projectId}'`],
      ),
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
