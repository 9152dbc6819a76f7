import { expect, test } from '@jest/globals';
import { type EpisodesReference, indexEpisodes } from '@loci/contracts';
import { type ContentIndexer } from '@loci/indexing';
import { type ConsumerRunner, episodicWorkerIndex } from '@loci/messaging';
import { type Outbox, type UnitOfWork } from '@loci/persistence';
import { RecordingLogger } from '@loci/testing';
import { type EpisodeInContext } from './episode-in-context.js';
import { IndexConsumers } from './index-consumers.js';

type Handler = (messages: readonly { readonly payload: EpisodesReference }[]) => Promise<unknown>;

const added = (orgId: string, count: number): { readonly payload: EpisodesReference } => {
  const uids = Array.from({ length: count }, (_, index) => `${orgId}-${index}`);
  return { payload: { tenant: { orgId, projectId: 'main' }, projectUid: `of ${orgId}`, uids } };
};

test('what one organization added beyond its share is handed on, and others do not wait for it', async () => {
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
  await handlers.get(episodicWorkerIndex)?.([added('large', 1_000), added('small', 1)]);
  expect(indexed).toEqual({ 'of large': 64, 'of small': 1 });
  expect(handedOn.flatMap(({ uids }) => uids)).toHaveLength(1_000 - 64);
});
