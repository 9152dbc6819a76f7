import { expect, test } from '@jest/globals';
import { missingRows } from '@loci/indexing';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type TestDatabase } from '@loci/testing';
import { batchOf, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { EpisodeTable } from '../indexing/episode-table.js';
import { MISSING_EPISODES } from '../indexing/missing-episodes.sql.js';

const REEMBEDDED = 1_000;
const MISSING = 3;

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

/** How many rows PostgreSQL read in vain. */
async function rowsLeftOut(query: string, values: readonly unknown[]): Promise<number> {
  const plan: unknown = await replica.unitOfWork.single(
    (manager) => manager.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`, [...values]),
    ROWS_OF_ALL,
  );
  const counts = JSON.stringify(plan).matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test.each([
  ['never was re-embedded', 'NULL', 'now()'],
  ['was re-embedded into another index version', 'gen_random_uuid()', 'now()'],
  ['waits for its first vector', 'NULL', 'NULL'],
  ['waits for a vector, and was re-embedded into another index version', 'gen_random_uuid()', 'NULL'],
])(
  'what %s is found without reading what is in the index version, as is that nothing is left',
  async (_, carriedTo, indexedAt) => {
    const project = await replica.openProject();
    const indexVersion = await replica.activate(project, 'spec-model-4-00000000');
    const { uid } = indexVersion;
    await replica.episodes.add(
      project.tenant,
      batchOf(...Array.from({ length: REEMBEDDED + MISSING }, () => ({}))),
    );
    await database.query(
      `UPDATE episodic.episodes SET carried_to = CASE WHEN at > ${MISSING} THEN $2::uuid ELSE ${carriedTo} END,
              indexed_at = ${indexedAt}
       FROM (SELECT uid, row_number() OVER (ORDER BY created_at DESC, uid DESC) AS at FROM episodic.episodes
             WHERE project_uid = $1) AS newest WHERE episodes.uid = newest.uid`,
      [project.projectUid, uid],
    );
    await database.query('ANALYZE episodic.episodes');
    const found = await replica.index.missing(indexVersion, 10);
    expect(found).toHaveLength(MISSING);
    expect(await rowsLeftOut(MISSING_EPISODES.text, [project.projectUid, uid, 10])).toBe(0);
    await database.query('UPDATE episodic.episodes SET carried_to = $2 WHERE project_uid = $1', [
      project.projectUid,
      uid,
    ]);
    const one = missingRows(new EpisodeTable(), { owner: '$1', version: '$2', limit: '1' });
    expect(await rowsLeftOut(`SELECT uid FROM ${one} AS missing`, [project.projectUid, uid])).toBe(0);
  },
);

async function rowsInTheIndex(): Promise<unknown> {
  await database.query('ANALYZE episodic.episodes');
  return database.query(`SELECT reltuples FROM pg_class WHERE relname = 'episodes_carried'`);
}

test('an addition writes nothing into the index of what may be re-embedded', async () => {
  const project = await replica.openProject();
  const before = await rowsInTheIndex();
  await replica.episodes.add(project.tenant, batchOf(...Array.from({ length: REEMBEDDED }, () => ({}))));
  expect(await rowsInTheIndex()).toEqual(before);
});
