import { expect, test } from '@jest/globals';
import { type EpisodesReference, indexEpisodes } from '@loci/contracts';
import { type ContentIndexer } from '@loci/indexing';
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

test.each([
  ['', false, { 'of large': 64, 'of small': 1 }],
  [', which has nothing indexed when others have waited for long', true, { 'of small': 1 }],
])('what one organization added beyond its share is handed on%s', async (_, isLate, expected) => {
  const handlers = new Map<unknown, Handler>();
  const runner = {
    run: (consumer: unknown, _: unknown, handler: Handler) => handlers.set(consumer, handler),
  };
  const indexed: Record<string, number> = {};
  const indexer = {
    bringAllInLine(work: ReadonlyMap<string, readonly string[]>) {
      for (const [project, uids] of work) indexed[project] = uids.length;
      return Promise.resolve({ failures: new Map(), waitedMs: 0 });
    },
  };
  const handedOn: EpisodesReference[] = [];
  const outbox = {
    appendAll(_: unknown, type: unknown, payloads: readonly EpisodesReference[]) {
      expect(type).toBe(indexEpisodes);
      handedOn.push(...payloads);
      return Promise.resolve();
    },
    wake: () => undefined,
  };
  const unitOfWork = { run: (work: (tx: unknown) => Promise<void>) => work(undefined) };
  new IndexConsumers(
    runner as unknown as ConsumerRunner,
    indexer as unknown as ContentIndexer<EpisodeInContext>,
    unitOfWork as unknown as UnitOfWork,
    outbox as unknown as Outbox,
    new RecordingLogger(),
  ).onApplicationBootstrap();
  await handlers.get(episodicWorkerIndex)?.([added('large', 1_000), added('small', 1)], { isLate });
  expect(indexed).toEqual(expected);
  expect(handedOn.flatMap(({ uids }) => uids)).toHaveLength(1_000 - (indexed['of large'] ?? 0));
});
