import { expect, test } from '@jest/globals';
import { useFreshSets } from '../../../test/fresh-sets.js';
import { type SemanticSpec } from '../../../test/semantic-spec.js';
import { SCHEMA } from '../../database.js';
import { fullScope, type OpenProject } from '../../projects/project.js';
import { locationOf, type MemorySet } from '../../sets/set.js';
import { IngestionDeadLettersRepository } from './ingestion-dead-letters.repository.js';
import { IngestionDeadLettersService, type RunPreparedOnce } from './ingestion-dead-letters.service.js';

const LETTERS = 1_201;

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

const addLetters = (count: number, of: MemorySet, projectUid: string): Promise<unknown> =>
  spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_dead_letters (uid, set_uid, org_id, project_uid, category, code, reason, failures)
     SELECT gen_random_uuid(), $2, $3, $4, 'c', 'x', 'r', 1 FROM generate_series(1, $1)`,
    [count, of.uid, of.orgId, projectUid],
  );

async function lettersLeft(): Promise<number | undefined> {
  const [row] = await spec.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${SCHEMA}.ingestion_dead_letters WHERE org_id = $1`,
    [set.orgId],
  );
  return row?.count;
}

const replayAll = (once: RunPreparedOnce): Promise<number> =>
  new IngestionDeadLettersService(
    new IngestionDeadLettersRepository(spec.unitOfWork),
    spec.outbox,
    spec.unitOfWork,
  ).replayAll(fullScope(locationOf(set)), once);

test('a replay of all goes on where a request ended, and leaves what other projects have', async () => {
  const other = await spec.newProject({ orgId: project.tenant.orgId, projectId: 'other' });
  await addLetters(1, await spec.newSet(other), other.uid);
  await addLetters(LETTERS, set, project.uid);
  const ended = replayAll(async (prepare) => {
    await prepare();
    throw new Error('the process ended');
  });
  await expect(ended).rejects.toThrow('the process ended');
  expect(await lettersLeft()).toBe(1);
  await addLetters(2, set, project.uid);
  const once: RunPreparedOnce = async (prepare, work) => {
    const before = await prepare();
    return spec.unitOfWork.run((tx) => work(tx, before));
  };
  expect(await replayAll(once)).toBe(2);
  await addLetters(LETTERS, set, project.uid);
  expect(await replayAll(once)).toBe(LETTERS);
  expect(await lettersLeft()).toBe(1);
});
