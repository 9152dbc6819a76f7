import { beforeAll, expect, test } from '@jest/globals';
import { fieldIs, type ProjectReference } from '@loci/contracts';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';

const filter = fieldIs({ kind: 'metadata', key: 'channel' }, 'a');

let replica: Replica;
let project: ProjectReference;

useReplicas(async (opened) => {
  replica = await opened.openReplica();
});

beforeAll(async () => {
  project = await replica.openProject();
  // pairs of one time, so that a step ends within a pair
  const said = Array.from({ length: 10 }, (_, n) => ({
    createdAt: instant(`2024-05-01T00:00:0${Math.floor(n / 2)}Z`),
    metadata: { channel: n % 3 === 0 ? 'a' : 'b' },
  }));
  await replica.episodes.add(project.tenant, batchOf(...said));
});

test.each([1, 3, 5, 10, 11])('counting in steps of %d counts each message once', async (step) => {
  const limits = { step, withinMs: Infinity };
  const all = await replica.counts.matching(project.projectUid, undefined, undefined, limits);
  expect(all).toEqual({ count: 10, isAtLeast: false });
  const some = await replica.counts.matching(project.projectUid, filter, undefined, limits);
  expect(some).toEqual({ count: 4, isAtLeast: false });
});

test('counting ends when its time is over, and says so', async () => {
  const limits = { step: 3, withinMs: 0 };
  const counted = await replica.counts.matching(project.projectUid, undefined, undefined, limits);
  expect(counted).toEqual({ count: 3, isAtLeast: true });
});
