import { beforeEach, expect, test } from '@jest/globals';
import { type EpisodesReference, indexEpisodes } from '@loci/contracts';
import { type ContentIndexer, type IndexMarksRepository, type IndexUpkeep } from '@loci/indexing';
import { type BatchState, type ConsumerRunner, episodicWorkerIndex } from '@loci/messaging';
import { type Outbox, type UnitOfWork } from '@loci/persistence';
import { RecordingLogger } from '@loci/testing';
import { type EpisodeInContext } from './episode-in-context.js';
import { IndexConsumers } from './index-consumers.js';

interface Added {
  readonly payload: EpisodesReference;
}

type Handler = (messages: readonly Added[], state: BatchState) => Promise<unknown>;

function added(orgId: string, count: number): Added {
  const uids = Array.from({ length: count }, (_, index) => `${orgId}-${index}`);
  return { payload: { tenant: { orgId, projectId: 'main' }, projectUid: `of ${orgId}`, uids } };
}

let waiting: number;
let isIndexDown: boolean;
let indexed: Record<string, number>;
let handedOn: EpisodesReference[];
let leftToSweeper: number;
let handlers: Map<unknown, Handler>;

beforeEach(() => {
  [waiting, isIndexDown, indexed, handedOn, leftToSweeper] = [0, false, {}, [], 0];
  handlers = new Map();
  const runner = {
    run: (consumer: unknown, _: unknown, handler: Handler) => handlers.set(consumer, handler),
    pending: () => Promise.resolve(waiting),
  };
  const indexer = {
    bringAllInLine(work: ReadonlyMap<string, readonly string[]>) {
      if (isIndexDown) return Promise.reject(new Error('Qdrant is down'));
      for (const [project, uids] of work) indexed[project] = uids.length;
      return Promise.resolve({ failures: new Map(), waitedMs: 0 });
    },
  };
  const outbox = {
    appendAll(_: unknown, type: unknown, payloads: readonly EpisodesReference[]) {
      expect(type).toBe(indexEpisodes);
      handedOn.push(...payloads);
      return Promise.resolve();
    },
    wake: () => undefined,
  };
  const unitOfWork = { run: (work: (tx: unknown) => Promise<void>) => work(undefined) };
  const upkeep = { leaveToSweeper: () => (leftToSweeper += 1) };
  new IndexConsumers(
    runner as unknown as ConsumerRunner,
    indexer as unknown as ContentIndexer<EpisodeInContext>,
    unitOfWork as unknown as UnitOfWork,
    outbox as unknown as Outbox,
    {} as IndexMarksRepository,
    upkeep as unknown as IndexUpkeep,
    new RecordingLogger(),
  ).onApplicationBootstrap();
});

const handle = async (isLate: boolean, ...messages: readonly Added[]): Promise<void> => {
  await handlers.get(episodicWorkerIndex)?.(messages, { isLate });
};

test.each([
  ['', false, { 'of large': 64, 'of small': 1 }],
  [', which has nothing indexed when others have waited for long', true, { 'of small': 1 }],
])('what one organization added beyond its share is handed on%s', async (_, isLate, expected) => {
  await handle(isLate, added('large', 1_000), added('small', 1));
  expect(indexed).toEqual(expected);
  expect(handedOn.flatMap(({ uids }) => uids)).toHaveLength(1_000 - (indexed['of large'] ?? 0));
  expect(leftToSweeper).toBe(0);
});

test('no more is handed on than the queue has room for, first of those with few; the rest is left to the sweeper', async () => {
  waiting = 506;
  await handle(false, added('large', 10_000), added('other', 68));
  expect(handedOn.map(({ tenant }) => tenant.orgId)).toEqual(['other', ...Array<string>(5).fill('large')]);
  expect(leftToSweeper).toBe(1);
  waiting = 10_000;
  await handle(false, added('large', 10_000));
  expect(handedOn).toHaveLength(6);
  expect(leftToSweeper).toBe(2);
});

test('a batch that fails has handed nothing on: it comes again', async () => {
  isIndexDown = true;
  await expect(handle(false, added('large', 1_000))).rejects.toThrow('Qdrant is down');
  expect(handedOn).toEqual([]);
});
