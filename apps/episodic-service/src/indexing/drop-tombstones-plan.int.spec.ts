import { beforeEach, expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { entityManager, ROWS_OF_ALL } from '@loci/persistence';
import { type TestDatabase } from '@loci/testing';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { DROP_TOMBSTONES } from './drop-tombstones.sql.js';

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

const MESSAGES = 600;

/** A page has few of them. */
const LONG = `(SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 40 + n * 0))`;

let database: TestDatabase;
let replica: Replica;
let reader: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  [replica, reader] = [await opened.openReplica(), await opened.openReplica()];
});

beforeEach(async () => {
  await database.query('ALTER TABLE episodic.episodes SET (autovacuum_enabled = false)');
  await database.query('DELETE FROM episodic.episodes');
});

/** Messages of one conversation, a second apart, the vector of each of which tells of the one before. @returns their uids */
async function say({ projectUid }: ProjectReference, count: number): Promise<string[]> {
  const rows = await replica.unitOfWork.single<{ uid: string }[]>(
    (manager) =>
      manager.query(
        `INSERT INTO episodic.episodes
           (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata, created_at, in_short_term,
            in_long_term, is_semantic, indexed_at, embedded_after)
         SELECT md5('${projectUid}' || n)::uuid, '${projectUid}', ${LONG}, 'ann', 'user', '', '{}', now() - make_interval(secs => ${count} - n),
                true, true, false, now(), md5('${projectUid}' || n - 1)::uuid
         FROM generate_series(1, ${count}) AS n RETURNING uid`,
      ),
    ROWS_OF_ALL,
  );
  return rows.map(({ uid }) => uid);
}

const remove = ({ projectUid }: ProjectReference, uids: readonly string[]): Promise<unknown> =>
  replica.unitOfWork.run((tx) => replica.episodes.remove(projectUid, uids, tx));

/** Does it, too. */
const explain = ({ projectUid }: ProjectReference, uids: readonly string[]): Promise<unknown> =>
  replica.unitOfWork.single(
    (manager) =>
      manager.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${DROP_TOMBSTONES.text}`, [projectUid, uids]),
    ROWS_OF_ALL,
  );

test('tombstones are found by their uids, though PostgreSQL takes the table to have none', async () => {
  const project = await replica.openProject();
  const uids = await say(project, MESSAGES);
  await database.query('ANALYZE episodic.episodes');
  await remove(project, uids);
  const explained = JSON.stringify(await explain(project, uids.slice(0, 50)));
  const indexes = [...explained.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name);
  expect(indexes.length).toBeGreaterThan(0);
  expect(indexes).not.toContain('episodes_tombstones');
});

test('what is behind many deleted messages is found on one way along them, while another transaction may see them', async () => {
  const project = await replica.openProject();
  const uids = await say(project, MESSAGES);
  const last = uids.pop();
  await database.query('ANALYZE episodic.episodes');
  await reader.unitOfWork.run(async (tx) => {
    // what is deleted stays in the indexes for as long as this one goes on
    await entityManager(tx).query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await entityManager(tx).query('SELECT FROM episodic.projects LIMIT 1');
    await remove(project, uids);
    const [explained] = (await explain(project, uids)) as [{ 'QUERY PLAN': [{ Plan: Plan }] }];
    const { Plan: plan } = explained['QUERY PLAN'][0];
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MESSAGES * 40);
  });
  const waiting = await replica.index.waiting(project.projectUid, { rows: 10, bytes: 1_000_000 });
  expect(waiting.items.map(({ uid }) => uid)).toEqual([last]);
});
