import { expect, test } from '@jest/globals';
import { setsConfigured } from '@loci/contracts';
import { Idempotency } from '@loci/persistence';
import { newSetsOf } from '../../test/semantic-services.js';
import { type FreshSet, useFreshSets } from '../../test/fresh-sets.js';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { SemanticServiceEnv } from '../env.js';
import { type ProjectsService } from '../projects/projects.service.js';
import { type RegisteredResources } from '../resources/registered-resources.js';
import { SetsService } from './sets.service.js';

let fresh: FreshSet;

useFreshSets((one) => {
  fresh = one;
});

test('workers hear of a set that chose other models, and of none that chose what it had', async () => {
  const { spec, project, set } = fresh;
  const { unitOfWork, outbox } = spec;
  const sets = new SetsService(
    spec.sets,
    newSetsOf(spec, new SemanticServiceEnv()),
    {
      ensureOpen: () => Promise.resolve(project),
      keepOpen: () => Promise.resolve(),
    } as unknown as ProjectsService,
    { has: () => Promise.resolve(true) } as unknown as RegisteredResources,
    new Idempotency({ url: spec.url, schema: SCHEMA, entities: ENTITIES }, unitOfWork),
    outbox,
  );
  const request = { tenant: project.tenant, organization: 'change', setId: set.id } as const;
  const told = async (): Promise<unknown> => {
    const [row] = await spec.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${SCHEMA}.outbox
       WHERE subject = '${setsConfigured.subject}' AND payload->>'setUid' = '${set.uid}'`,
    );
    return row?.count;
  };
  await sets.configure({ ...request, embedderName: 'a', llmName: 'b' });
  expect(await told()).toBe(1);
  await sets.configure({ ...request, embedderName: 'a' });
  await sets.configure({ ...request, llmName: 'b' });
  await sets.configure(request);
  expect(await told()).toBe(1);
  await sets.configure({ ...request, embedderName: '' });
  expect(await told()).toBe(2);
  expect(await spec.sets.using('language_model', 'b', 10)).toEqual([set.id]);
});
