import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RelearningReference } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { ROWS_OF_ALL, type Transaction } from '@loci/persistence';
import { SemanticSpec } from '../../../test/semantic-spec.js';
import { BEGIN_RELEARNING } from '../backlog/relearning-position.sql.js';
import { type EpisodeIntake } from '../intake/episode-intake.js';
import { RelearningSteps } from './relearning-steps.js';

let spec: SemanticSpec;
/** Of how many pages of messages the other service was asked. */
let pages = 0;

beforeAll(async () => {
  spec = await SemanticSpec.create();
});

afterAll(() => spec.close());

const rpc = {
  call() {
    pages += 1;
    return Promise.resolve({ episodes: [] });
  },
} as unknown as RpcClient;

const intake = {
  takeAgain: (_: unknown, __: string, begin: (tx: Transaction) => Promise<boolean>) =>
    spec.unitOfWork.run(begin, { scope: ROWS_OF_ALL }),
} as unknown as EpisodeIntake;

test('of many orders for one project the last one is carried out, the others take a look each', async () => {
  const { projects, features, writer, unitOfWork, outbox } = spec;
  const steps = new RelearningSteps(projects, features, writer, rpc, intake, unitOfWork, outbox);
  const { tenant, uid: projectUid } = await spec.newProject({ orgId: 'acme', projectId: 'again' });
  const orders = Array.from({ length: 20 }, (_, second): RelearningReference => {
    const startedAt = `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
    return { tenant, projectUid, startedAt: startedAt as RelearningReference['startedAt'] };
  });
  for (const { startedAt } of orders) {
    await unitOfWork.execute(BEGIN_RELEARNING, [projectUid, startedAt], { scope: ROWS_OF_ALL });
  }
  for (const order of orders) await steps.step(order);
  expect(pages).toBe(1);
});
