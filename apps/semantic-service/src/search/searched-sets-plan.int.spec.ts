import { expect, test } from '@jest/globals';
import { entityManager, rowsOf } from '@loci/persistence';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { SEARCHED_SETS } from './searched-sets.sql.js';

const WAITING = 5_000;

interface Explained {
  readonly 'QUERY PLAN': readonly [
    { readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>> },
  ];
}

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

/** By the plan for all searches, which a connection has after a few of them. */
const blocksRead = ({ uid }: MemorySet): Promise<number> =>
  spec.unitOfWork.run(
    async (tx) => {
      const manager = entityManager(tx);
      await manager.query(`PREPARE searched (text, uuid, text, uuid[]) AS ${SEARCHED_SETS.text}`);
      await manager.query('SET LOCAL plan_cache_mode = force_generic_plan');
      const { orgId, projectId } = project.tenant;
      const asked = `'${orgId}', '${project.uid}', '${projectId}', '{${uid}}'`;
      const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE searched(${asked})`;
      const [row] = await manager.query<Explained[]>(explain);
      await manager.query('DEALLOCATE searched');
      const plan = row?.['QUERY PLAN'][0].Plan;
      return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
    },
    { scope: rowsOf(project.uid) },
  );

test('a set of which nothing waits pays nothing for what waits of the only other one', async () => {
  await spec.apply(set, 'c', [specAdd('known', specCitation(project.uid))]);
  await spec.query(`UPDATE ${SCHEMA}.features SET indexed_at = now()`);
  await spec.query(`ANALYZE ${SCHEMA}.features`);
  await blocksRead(set);
  const before = await blocksRead(set);
  const behind = await spec.newSet(await spec.newProject({ orgId: set.orgId, projectId: 'behind' }));
  await spec.query(
    `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client, updated_at)
     SELECT gen_random_uuid(), $1, $2, $3, 'c', 'facts', 'fact', n::text, '{}', false, now() - random() * interval '1 hour'
     FROM generate_series(1, ${WAITING}) AS n`,
    [behind.uid, behind.orgId, behind.projectUid],
  );
  // as PostgreSQL does by itself within a minute
  await spec.query(`ANALYZE ${SCHEMA}.features`);
  await blocksRead(set);
  expect(await blocksRead(set)).toBeLessThan(before + 20);
});
