import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type AppError, type ProjectReference, rateLimited, unavailable } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { ProviderFailure, type TextReply, type TextRequest } from '@loci/models';
import { type Registry } from '@loci/registry';
import { RecordingLogger } from '@loci/testing';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { type EpisodicServiceEnv } from '../env.js';
import { type MemorySettings } from '../memory/memory-settings.js';
import { SummaryUpdater } from './summary-updater.js';

/** As long as one call of a model takes. */
const LONG = 'x'.repeat(24_000);

let replica: Replica;
let updater: SummaryUpdater;
const logger = new RecordingLogger();
const answer = (): Promise<TextReply> => Promise.resolve({ text: 'what was said' });
const generateText = jest.fn<(request: TextRequest) => Promise<TextReply>>(answer);

useReplicas(async ({ openReplica }) => {
  replica = await openReplica();
  updater = new SummaryUpdater(
    { LEASE_MS: 60_000 } as EpisodicServiceEnv,
    replica.summaries,
    { languageModel: () => Promise.resolve({ name: 'writer', generateText }) } as unknown as Registry,
    { summaryModel: 'writer', capacityChars: 2 * LONG.length } as MemorySettings,
    { call: () => Promise.resolve({ day: '2026-01-31' }) } as unknown as RpcClient,
    logger,
  );
});

const say = (project: ProjectReference, count: number): Promise<string[]> =>
  sayThese(project, new Array<string>(count).fill(LONG));

const sayThese = async (project: ProjectReference, contents: readonly string[]): Promise<string[]> => {
  const uids = await replica.addEach(project.tenant, contents);
  await replica.summaries.want(project, uids, () => Promise.resolve());
  return uids;
};

/** After whatever pause. @returns how often the model was asked */
const update = async (project: ProjectReference): Promise<number> => {
  generateText.mockClear();
  await replica.unitOfWork.single(
    (manager) => manager.query('UPDATE episodic.summaries SET retry_at = NULL'),
    ROWS_OF_ALL,
  );
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

describe('a message that a model always refuses', () => {
  /** Of which a call of a model takes four, and the window eight. */
  const words = (index: number): string => `message ${index}`.padEnd(6_000, '.');
  const POISON = words(2);

  const refuse = (failure: AppError): void =>
    void generateText.mockImplementation((request) =>
      JSON.stringify(request).includes(POISON) ? Promise.reject(failure) : answer(),
    );

  const talk = async (): Promise<{ readonly project: ProjectReference; readonly uids: string[] }> => {
    const project = await replica.openProject();
    const uids = await sayThese(
      project,
      Array.from({ length: 16 }, (_, index) => words(index)),
    );
    return { project, uids };
  };

  /** Those that the last calls of a model read. */
  const read = (): number[] =>
    generateText.mock.calls.map(([request]) => JSON.stringify(request).match(/message \d+/g)?.length ?? 0);

  afterEach(() => void generateText.mockImplementation(answer));

  test.each([
    ['by a reply that cannot be used', unavailable('model_reply_unusable', 'Refused.')],
    [
      'as a request',
      unavailable('language_model_unavailable', 'HTTP 400', {}, new ProviderFailure('rejected', 'HTTP 400')),
    ],
  ])('is found by halves and left out after six refusals: %s', async (_, failure) => {
    const { project, uids } = await talk();
    refuse(failure);
    await update(project);
    expect(read()).toEqual([4]);
    await update(project);
    expect(read()).toEqual([2, 4]);
    await update(project);
    expect(read()).toEqual([2]);
    for (let refusals = 0; refusals < 6; refusals += 1) {
      await update(project);
      expect(read()).toEqual([1]);
    }
    await update(project);
    // the first asks whether the model takes another one, and the second for the last time
    expect(read()).toEqual([1, 1, 1, 2, 4]);
    expect(await update(project)).toBe(0);
    expect(logger.lines).toContainEqual(
      expect.objectContaining({
        fields: { projectUid: project.projectUid, episodeUid: uids[2], refusals: 6 },
      }),
    );
  });

  test('is not left out while the model refuses all others, too, and is not asked again before the pause is over', async () => {
    const { project } = await talk();
    generateText.mockImplementation(() => Promise.reject(unavailable('model_reply_unusable', 'Refused.')));
    for (let failures = 0; failures < 12; failures += 1) await update(project);
    expect(read()).toEqual([1]);
    generateText.mockClear();
    await updater.update(project);
    expect(read()).toEqual([]);
    generateText.mockImplementation(answer);
    expect(await update(project)).toBeGreaterThan(0);
    expect(await update(project)).toBe(0);
    const [left] = await replica.unitOfWork.single(
      (manager) =>
        manager.query<{ count: number }[]>(
          `SELECT count(*)::int AS count FROM episodic.episodes WHERE project_uid = $1 AND in_summary`,
          [project.projectUid],
        ),
      ROWS_OF_ALL,
    );
    expect(left?.count).toBeGreaterThan(8);
    expect(
      logger.lines.filter(({ fields }) => fields['projectUid'] === project.projectUid),
    ).not.toContainEqual(expect.objectContaining({ message: expect.stringContaining('goes on without') }));
  });

  test.each([
    unavailable('language_model_unavailable', 'Not now.'),
    rateLimited('model_quota_exceeded', 'Used up.'),
    unavailable('service_unavailable', 'Not now.'),
  ])('is neither looked for nor left out while there is something else: $code', async (failure) => {
    const { project } = await talk();
    refuse(failure);
    for (let failures = 0; failures < 12; failures += 1) {
      await update(project);
      expect(read()).toEqual([4]);
    }
  });
});
