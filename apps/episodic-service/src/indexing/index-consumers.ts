import { episodesAdded, type EpisodesReference, indexEpisodes, purgeEpisodes } from '@loci/contracts';
import { ContentIndexer, isEmbedderOutage } from '@loci/indexing';
import {
  ConsumerRunner,
  episodicWorkerIndex,
  episodicWorkerPurge,
  episodicWorkerReindex,
  type ReceivedMessage,
} from '@loci/messaging';
import { Logger } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type EpisodeInContext } from './episode-in-context.js';

/** Messages taken together: their texts are embedded and upserted as one batch, which is what makes indexing fast. */
const BATCH_SIZE = 64;

/** Keeps the vector index behind the table of episodes: new ones in, deleted ones out. */
@Injectable()
export class IndexConsumers implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly indexer: ContentIndexer<EpisodeInContext>,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const options = { batchSize: BATCH_SIZE };
    const bringInLine = this.eachProject((projectUid, uids) => this.bringInLine(projectUid, uids));
    // searches cover what waits
    const atPace = { ...options, restsWhenBehind: true };
    this.runner.run(episodicWorkerIndex, episodesAdded, bringInLine, atPace);
    this.runner.run(episodicWorkerReindex, indexEpisodes, bringInLine, atPace);
    this.runner.run(
      episodicWorkerPurge,
      purgeEpisodes,
      this.eachProject((projectUid, uids) => this.indexer.purge(projectUid, uids)),
      options,
    );
  }

  /** Projects whose embedder is down must not delay the others: the sweeper comes back to their episodes. */
  private async bringInLine(projectUid: string, uids: readonly string[]): Promise<void> {
    try {
      await this.indexer.bringInLine(projectUid, uids);
    } catch (error) {
      if (!isEmbedderOutage(error)) throw error;
      this.logger.debug('episodes wait for their embedder', { projectUid, episodes: uids.length, error });
    }
  }

  private eachProject(work: (projectUid: string, uids: string[]) => Promise<void>) {
    return async (messages: readonly ReceivedMessage<EpisodesReference>[]): Promise<void> => {
      for (const [projectUid, uids] of groupByProject(messages.map(({ payload }) => payload))) {
        await work(projectUid, [...uids]);
      }
    };
  }
}

export function groupByProject(references: readonly EpisodesReference[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { projectUid, uids } of references) {
    const group = groups.get(projectUid) ?? new Set();
    for (const uid of uids) group.add(uid);
    groups.set(projectUid, group);
  }
  return groups;
}
