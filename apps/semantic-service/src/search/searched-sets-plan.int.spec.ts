import { expect, test } from '@jest/globals';
import { entityManager, rowsOf } from '@loci/persistence';
import { blocksReadByAnyPlan } from '@loci/testing';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { SEARCHED_SETS } from './searched-sets.sql.js';

const WAITING = 5_000;

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

const blocksRead = ({ uid }: MemorySet): Promise<number> =>
  spec.unitOfWork.run(
    (tx) =>
      blocksReadByAnyPlan(
        (statement) => entityManager(tx).query(statement),
        SEARCHED_SETS.text,
        ['text', 'uuid', 'text', 'uuid[]'],
        [`'${project.tenant.orgId}'`, `'${project.uid}'`, `'${project.tenant.projectId}'`, `'{${uid}}'`],
      ),
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
