import { expect, test } from '@jest/globals';
import { type ProjectReference, tenantName } from '@loci/contracts';
import { ROWS_OF_ALL, type RowScope, rowsOf } from '@loci/persistence';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';

let replica: Replica;
let mine: ProjectReference;
let theirs: ProjectReference;

useReplicas(async ({ openReplica }) => {
  replica = await openReplica();
  [mine, theirs] = [await replica.openProject(), await replica.openProject()];
  await replica.addEach(mine.tenant, ['mine']);
  await replica.addEach(theirs.tenant, ['theirs']);
});

const contents = async (scope?: RowScope): Promise<string[]> => {
  const rows = await replica.unitOfWork.single(
    (manager) =>
      manager.query<{ content: string }[]>('SELECT content FROM episodic.episodes ORDER BY content'),
    scope,
  );
  return rows.map(({ content }) => content);
};

test('a query on episodes that forgets its predicate sees those of its own project only', async () => {
  expect(await contents(rowsOf(mine.projectUid))).toEqual(['mine']);
  expect(await contents(rowsOf(theirs.projectUid))).toEqual(['theirs']);
  expect(await contents(rowsOf(tenantName(theirs.tenant)))).toEqual([]);
  expect(await contents()).toEqual([]);
  expect(await contents(ROWS_OF_ALL)).toEqual(['mine', 'theirs']);
});

test('a query on projects that forgets its predicate sees its own only', async () => {
  const uids = (scope?: RowScope) =>
    replica.unitOfWork.single(
      (manager) => manager.query<object[]>('SELECT uid FROM episodic.projects'),
      scope,
    );
  expect(await uids(rowsOf(tenantName(mine.tenant)))).toEqual([{ uid: mine.projectUid }]);
  expect(await uids()).toEqual([]);
});

test('a statement on behalf of one project deletes nothing of another, whatever uid it names', async () => {
  const [episode] = await replica.episodes
    .list(theirs.projectUid, undefined, { offset: 0, limit: 1 })
    .then(({ episodes }) => episodes);
  await replica.unitOfWork.single(
    (manager) => manager.query('DELETE FROM episodic.episodes WHERE uid = $1', [episode?.uid]),
    rowsOf(mine.projectUid),
  );
  expect(await contents(ROWS_OF_ALL)).toEqual(['mine', 'theirs']);
});
