import { expect, jest, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { byClient } from '../features/feature-origins.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

test('removing features reads nothing of what they say, however large they are', async () => {
  const values = ['Graz', 'Linz', 'Wien'];
  for (const value of values) await spec.apply(set, 'profile', [specAdd(value)], byClient());
  const rows = await spec.query<{ uid: string }>(
    `UPDATE ${SCHEMA}.features SET metadata = jsonb_build_object('k', repeat('x', 1000000)) WHERE set_uid = $1 RETURNING uid`,
    [set.uid],
  );
  const execute = jest.spyOn(spec.unitOfWork, 'execute');
  const featureIds = rows.map(({ uid }) => uid);
  const removed = await services.editing.remove({
    tenant: project.tenant,
    organization: 'change',
    featureIds,
  });
  const results = await Promise.all(execute.mock.results.map(({ value }) => value as Promise<unknown>));
  jest.restoreAllMocks();
  expect([...removed.deleted].sort()).toEqual([...featureIds].sort());
  expect(JSON.stringify(results).length).toBeLessThan(100_000);
});
