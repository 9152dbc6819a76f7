import { expect, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { MAX_COUNTED } from '../features/feature-history.repository.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

/** Changes of two features each, the last ones newest. */
async function change(first: number, last: number): Promise<void> {
  await spec.query(
    `INSERT INTO ${SCHEMA}.feature_history (uid, feature_uid, set_uid, org_id, project_uid, action, origin, episodes, change_uid)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, $3, 'add', 'client', '{}', lpad(change::text, 32, '0')::uuid
     FROM generate_series($4::int, $5::int) AS change, generate_series(1, 2)`,
    [set.uid, project.tenant.orgId, project.uid, first, last],
  );
  await spec.query(`ANALYZE ${SCHEMA}.feature_history`);
}

test('how many changes there are is told as far as they are counted', async () => {
  await change(1, 10_000);
  const asked = { tenant: project.tenant, organization: 'change' as const, setId: set.id, pageSize: 2 };
  const page = await services.history.changes({ ...asked, pageNum: 1 });
  expect(page.changes.map(({ uid, features }) => [Number(uid.slice(-5)), features.length])).toEqual([
    [9_998, 2],
    [9_997, 2],
  ]);
  expect(page.total).toBe(10_000);
  await change(10_001, MAX_COUNTED / 2 + 1);
  expect((await services.history.changes({ ...asked, pageNum: 0 })).total).toBeUndefined();
});
