import { episodesAdded, type EpisodesReference, indexEpisodes, purgeEpisodes } from '@loci/contracts';
import { ContentIndexer, IndexMarksRepository, IndexUpkeep, isEmbedderOutage, roomIn } from '@loci/indexing';
import {
  type BatchState,
  ConsumerRunner,
  episodicWorkerIndex,
  episodicWorkerPurge,
  episodicWorkerReindex,
  type Handled,
  type ReceivedMessage,
} from '@loci/messaging';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type EpisodeInContext } from './episode-in-context.js';
import { inShares } from './shares.js';

/** Messages taken together: their texts are embedded and upserted as one batch, which is what makes indexing fast. */
const BATCH_SIZE = 64;

/** Of what was added, which is shared out by organization before it is embedded: so that a flood is soon behind what came after it. */
const ADDED_BATCH_SIZE = 256;

/** Episodes of one organization in a batch of what was added: about half a call of the embedder. */
const MOST_OF_ORGANIZATION = 64;

/** Messages of repeated work taken together: what was handed on is as much as `MOST_OF_ORGANIZATION`, what was swept twice that. */
const REPEATED_BATCH_SIZE = 16;

/**
 * What was added is handled without a rest when it has waited longer, since others than those who flood wait in it, too; those
 * who flood are handed on then, so that going through what they add does not take the machine from those who answer requests.
 */
const MAX_LATE_MS = 5_000;

/** Episodes that are added one by one share what a batch costs. Searches do not wait for it: they cover what waits. */
const MIN_INTERVAL_MS = 200;

/** Keeps the vector index behind the table of episodes: new ones in, deleted ones out. */
@Injectable()
export class IndexConsumers implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly indexer: ContentIndexer<EpisodeInContext>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly marks: IndexMarksRepository,
    private readonly upkeep: IndexUpkeep,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const options = { batchSize: BATCH_SIZE };
    const restsWhenBehind = (): Promise<number> => this.backlog();
    const atPace = { ...options, restsWhenBehind, minIntervalMs: MIN_INTERVAL_MS };
    this.runner.run(episodicWorkerIndex, episodesAdded, (...batch) => this.indexAdded(...batch), {
      ...atPace,
      batchSize: ADDED_BATCH_SIZE,
      maxLateMs: MAX_LATE_MS,
    });
    this.runner.run(
      episodicWorkerReindex,
      indexEpisodes,
      (messages) => this.bringInLine(messages.map(({ payload }) => payload)),
      { ...atPace, batchSize: REPEATED_BATCH_SIZE },
    );
    this.runner.run(
      episodicWorkerPurge,
      purgeEpisodes,
      (messages) => this.purge(messages.map(({ payload }) => payload)),
      options,
    );
  }

  /** What one organization added beyond its share waits elsewhere, and what others add does not wait for it. */
  private async indexAdded(
    messages: readonly ReceivedMessage<EpisodesReference>[],
    { isLate }: BatchState,
  ): Promise<Handled> {
    const added = messages.map(({ payload }) => payload);
    const { now, later } = inShares(added, { most: MOST_OF_ORGANIZATION, isLate });
    // first what may fail: a batch that comes again is handed on once
    const handled = await this.bringInLine(now);
    if (later.length > 0) await this.handOn(later);
    return handled;
  }

  /** What the queue has no room for is left to the sweeper, which takes from every project. */
  private async handOn(later: readonly EpisodesReference[]): Promise<void> {
    const room = await roomIn(this.runner, episodicWorkerReindex);
    const fitting = later.slice(0, room);
    if (fitting.length > 0) {
      await this.unitOfWork.run((tx) => this.outbox.appendAll(tx, indexEpisodes, fitting));
      this.outbox.wake();
    }
    if (fitting.length < later.length) this.upkeep.leaveToSweeper();
  }

  /**
   * In what one organization may have at once: a flood grows by more with each batch, and the few episodes of a project whose
   * embedder is down by less. Messages do not tell it: some rows no message names, and what is swept is enqueued again.
   */
  private async backlog(): Promise<number> {
    const { items } = await this.marks.backlog();
    return Math.floor(items / MOST_OF_ORGANIZATION);
  }

  /** Projects whose embedder is down must not delay the others: the sweeper comes back to their episodes. */
  private async bringInLine(references: readonly EpisodesReference[]): Promise<Handled> {
    const { failures, waitedMs } = await this.indexer.bringAllInLine(groupByProject(references));
    for (const [projectUid, error] of failures) {
      if (!isEmbedderOutage(error)) throw error;
      this.logger.debug('episodes wait for their embedder', { projectUid, error });
    }
    return { waitedMs };
  }

  private async purge(references: readonly EpisodesReference[]): Promise<void> {
    for (const [projectUid, uids] of groupByProject(references)) await this.indexer.purge(projectUid, uids);
  }
}

/** Each uid once. */
export function groupByProject(references: readonly EpisodesReference[]): Map<string, string[]> {
  const groups = new Map<string, Set<string>>();
  for (const { projectUid, uids } of references) {
    const group = groups.get(projectUid) ?? new Set();
    for (const uid of uids) group.add(uid);
    groups.set(projectUid, group);
  }
  return new Map([...groups].map(([projectUid, uids]) => [projectUid, [...uids]]));
}
