import { IndexedContent, type IndexVersion } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { type VectorPoint } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { type EpisodeInContext } from './episode-in-context.js';
import { textToEmbed, toPoint } from './episode-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Episodes as what vectors are kept of. */
@Injectable()
export class IndexedEpisodes extends IndexedContent<EpisodeInContext> {
  constructor(
    private readonly state: IndexStateRepository,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  override textToEmbed(episode: EpisodeInContext): string {
    return textToEmbed(episode);
  }

  override toPoint(episode: EpisodeInContext, dense: ArrayLike<number>): VectorPoint {
    return toPoint(episode, dense);
  }

  override sort(
    indexVersion: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: EpisodeInContext[]; gone: string[] }> {
    return this.state.sort(indexVersion, uids);
  }

  override missing(
    indexVersion: IndexVersion,
    after: EpisodeInContext | undefined,
    limit: number,
  ): Promise<EpisodeInContext[]> {
    return this.state.missing(indexVersion, after, limit);
  }

  override async markIndexed(
    indexVersion: IndexVersion,
    episodes: readonly EpisodeInContext[],
  ): Promise<string[]> {
    const indexed = episodes.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid }));
    const { gone, first } = await this.state.noteIndexed(indexVersion, indexed);
    const now = Date.now();
    for (const uid of first) this.metrics.minutes.time('findable', (now - storedAtMs(uid)) / 1000);
    return gone;
  }

  override dropTombstones(projectUid: string, uids: readonly string[]): Promise<void> {
    return this.state.dropTombstones(projectUid, uids);
  }
}

/** An episode gets its uid (a UUID of version 7, which begins with the time) when it is stored; its `createdAt` may be a client's. */
const storedAtMs = (uid: string): number => Number.parseInt(uid.slice(0, 8) + uid.slice(9, 13), 16);
