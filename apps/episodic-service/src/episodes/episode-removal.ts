import { episodesDeleted, type ProjectReference, purgeEpisodes } from '@loci/contracts';
import { Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { EpisodesRepository } from './episodes.repository.js';

/** Deletes episodes: gone from every read with the commit, from what is derived a moment later. */
@Injectable()
export class EpisodeRemoval {
  constructor(
    private readonly episodes: EpisodesRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * With the messages that take away vectors and knowledge.
   * @param producer of whom alone; absent = of any
   * @returns the uids of those that were there
   */
  async remove(
    { tenant, projectUid }: ProjectReference,
    asked: readonly string[],
    tx: Transaction,
    producer?: string,
  ): Promise<readonly string[]> {
    if (asked.length === 0) return [];
    const { uids, addedUntil } = await this.episodes.remove(projectUid, asked, tx, producer);
    if (uids.length > 0) {
      const reference = { tenant, projectUid, uids };
      await this.outbox.append(tx, episodesDeleted, { ...reference, addedUntil });
      await this.outbox.append(tx, purgeEpisodes, reference);
    }
    return uids;
  }

  /** To be called after the commit: the messages leave at once. */
  wake(): void {
    this.outbox.wake();
  }
}
