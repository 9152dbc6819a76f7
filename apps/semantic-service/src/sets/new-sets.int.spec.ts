import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { QuotaLimits } from '@loci/persistence';
import { v7 as uuidv7 } from 'uuid';
import { newSetsOf } from '../../test/semantic-services.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { SemanticServiceEnv } from '../env.js';
import { toSet } from './set.js';

let spec: SemanticSpec;

beforeAll(async () => {
  spec = await SemanticSpec.create();
});

afterAll(() => spec.close());

test('a set is registered while categories or set types of its organization are being added', async () => {
  const { tenant, uid } = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  const set = toSet({ tenant, isOrgLevel: false, tags: { room: 'kitchen' } }, uid);
  const limits = new QuotaLimits({ schema: SCHEMA }, spec.unitOfWork);
  await spec.unitOfWork.run(async (tx) => {
    await limits.lock(tenant.orgId, tx);
    await newSetsOf(spec, new SemanticServiceEnv()).register([set]);
  });
  expect(await spec.unitOfWork.run((tx) => spec.sets.known([set.uid], tx))).toContain(set.uid);
});
