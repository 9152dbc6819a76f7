import { expect, jest, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { type Registry } from '@loci/registry';
import { RecordingLogger } from '@loci/testing';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { type EpisodicServiceEnv } from '../env.js';
import { type MemorySettings } from '../memory/memory-settings.js';
import { SummaryUpdater } from './summary-updater.js';

/** As long as one call of a model takes. */
const LONG = 'x'.repeat(24_000);

let replica: Replica;
let updater: SummaryUpdater;
const generateText = jest.fn(() => Promise.resolve({ text: 'what was said' }));

useReplicas(async ({ openReplica }) => {
  replica = await openReplica();
  updater = new SummaryUpdater(
    { LEASE_MS: 60_000 } as EpisodicServiceEnv,
    replica.summaries,
    { languageModel: () => Promise.resolve({ name: 'writer', generateText }) } as unknown as Registry,
    { summaryModel: 'writer', capacityChars: 2 * LONG.length } as MemorySettings,
    { call: () => Promise.resolve({ day: '2026-01-31' }) } as unknown as RpcClient,
    new RecordingLogger(),
  );
});

const say = async (project: ProjectReference, count: number): Promise<string[]> => {
  const uids = await replica.addEach(project.tenant, new Array<string>(count).fill(LONG));
  await replica.summaries.want(project, uids, () => Promise.resolve());
  return uids;
};

/** @returns how often the model was asked */
const update = async (project: ProjectReference): Promise<number> => {
  generateText.mockClear();
  await updater.update(project);
  return generateText.mock.calls.length;
};

test('a project with much to summarise lets others have their turn after eight calls, and goes on then', async () => {
  const project = await replica.openProject();
  await say(project, 12);
  expect(await update(project)).toBe(8);
  const ordered: string[] = [];
  const enqueue = (_: unknown, { projectUid }: ProjectReference): Promise<void> =>
    Promise.resolve(void ordered.push(projectUid));
  await replica.summaries.enqueueOverdue(60_000, 10, enqueue);
  expect(ordered).toEqual([project.projectUid]);
  expect(await update(project)).toBe(3);
  expect(await update(project)).toBe(0);
});

test('a deleted message costs the calls for what was said shortly before the window, however long its project is', async () => {
  const project = await replica.openProject();
  const [first = ''] = await say(project, 20);
  while ((await update(project)) > 0) continue;
  await replica.unitOfWork.run((tx) => replica.episodes.remove(project.projectUid, [first], tx));
  expect(await update(project)).toBe(8);
  expect(await update(project)).toBe(1);
  expect(await update(project)).toBe(0);
});
