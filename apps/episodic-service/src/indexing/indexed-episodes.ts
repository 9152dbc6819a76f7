import { IndexedContent, type IndexVersion } from '@loci/indexing';
import { Metrics } from '@loci/platform';
import { type VectorPoint } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { type EpisodeInContext } from './episode-in-context.js';
import { textToEmbed, textToMatch, toPoint } from './episode-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Seconds; 10 is what the alert on late indexing counts by. */
const DELAY_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** Episodes as what vectors are kept of. */
@Injectable()
export class IndexedEpisodes extends IndexedContent<EpisodeInContext> {
  private readonly delay: ReturnType<Metrics['histogram']>;

  constructor(
    private readonly state: IndexStateRepository,
    private readonly metrics: Metrics,
  ) {
    super();
    this.delay = metrics.histogram(
      'loci_episode_indexing_seconds',
      'From when an episode was stored until it had its first vector.',
      [],
      DELAY_BUCKETS,
    );
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

  override present(indexVersion: IndexVersion, uids: readonly string[]): Promise<EpisodeInContext[]> {
    return this.state.present(indexVersion, uids);
  }

  override missing(indexVersion: IndexVersion, limit: number): Promise<EpisodeInContext[]> {
    return this.state.missing(indexVersion, limit);
  }

  override async markIndexed(
    indexVersion: IndexVersion,
    episodes: readonly EpisodeInContext[],
  ): Promise<string[]> {
    const indexed = episodes.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid }));
    const { gone, first } = await this.state.noteIndexed(indexVersion, indexed);
    const now = Date.now();
    for (const uid of first) {
      const seconds = (now - storedAtMs(uid)) / 1000;
      this.delay.observe(seconds);
      this.metrics.minutes.time('findable', seconds);
    }
    return gone;
  }

  override async textsToMatch(projectUid: string, limit: number): Promise<string[]> {
    return (await this.state.counted(projectUid, limit)).map(textToMatch);
  }

  override dropTombstones(projectUid: string, uids: readonly string[]): Promise<void> {
    return this.state.dropTombstones(projectUid, uids);
  }
}

/** An episode gets its uid (a UUID of version 7, which begins with the time) when it is stored; its `createdAt` may be a client's. */
const storedAtMs = (uid: string): number => Number.parseInt(uid.slice(0, 8) + uid.slice(9, 13), 16);
