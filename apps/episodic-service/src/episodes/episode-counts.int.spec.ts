import { beforeAll, expect, jest, test } from '@jest/globals';
import { fieldIs, parseFilter, type ProjectReference } from '@loci/contracts';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type PlanRow, rowsReadBy } from '@loci/testing';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { type CountingLimits } from './episode-counts.js';

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
  const limits = { firstStep: step, nextStep: () => step, withinMs: Infinity };
  const all = await replica.counts.matching(project.projectUid, undefined, undefined, limits);
  expect(all).toEqual({ count: 10, isAtLeast: false });
  const some = await replica.counts.matching(project.projectUid, filter, undefined, limits);
  expect(some).toEqual({ count: 4, isAtLeast: false });
});

test('counting ends when its time is over, and says so', async () => {
  const limits = { firstStep: 3, withinMs: 0 };
  const counted = await replica.counts.matching(project.projectUid, undefined, undefined, limits);
  expect(counted).toEqual({ count: 3, isAtLeast: true });
});

test('steps become larger while they take little time', async () => {
  const limits = { firstStep: 1, nextStep: (step: number) => step * 4, withinMs: Infinity };
  const { counted, asked } = await askedFor(undefined, limits);
  expect(asked.map(({ values }) => values[4])).toEqual([1, 4, 16]);
  expect(counted).toEqual({ count: 10, isAtLeast: false });
});

test.each([
  ["created_at >= '2024-05-01T00:00:01Z' AND created_at <= '2024-05-01T00:00:03Z'", 6],
  ["m.channel = 'a' AND created_at > '2024-05-01T00:00:01Z' AND created_at < '2024-05-01T00:00:03Z'", 0],
  ["created_at = '2024-05-01T00:00:04Z'", 2],
  ["created_at < '2024-05-01T00:00:04Z' AND created_at > '2024-05-01T00:00:02Z'", 2],
])('all that match %s are counted, in any steps', async (text, count) => {
  for (const step of [1, 2, 100]) {
    const limits = { firstStep: step, nextStep: () => step };
    const { counted } = await askedFor(text, limits);
    expect(counted).toEqual({ count, isAtLeast: false });
  }
});

test('a filter by time reads what was said then, and nothing else', async () => {
  await replica.addMany(project.projectUid, 5_000, `'2023-01-01'::timestamptz + n * interval '1 hour'`);
  const { counted, asked } = await askedFor("created_at >= '2023-03-01' AND created_at < '2023-03-02'");
  expect(counted).toEqual({ count: 24, isAtLeast: false });
  const ask = (statement: string, values: unknown[]): Promise<PlanRow[]> =>
    replica.unitOfWork.single((manager) => manager.query<PlanRow[]>(statement, values), ROWS_OF_ALL);
  expect(asked).toHaveLength(1);
  for (const { text, values } of asked) expect(await rowsReadBy(ask, text, values)).toBeLessThan(50);
});

/** What was counted, and the statements that counted it. */
async function askedFor(text: string | undefined, limits?: CountingLimits) {
  const execute = jest.spyOn(replica.unitOfWork, 'execute');
  const counted = await replica.counts.matching(
    project.projectUid,
    text === undefined ? undefined : parseFilter(text),
    undefined,
    limits,
  );
  const asked = execute.mock.calls.map(([statement, values = []]) => ({ text: statement.text, values }));
  execute.mockRestore();
  return { counted, asked };
}
