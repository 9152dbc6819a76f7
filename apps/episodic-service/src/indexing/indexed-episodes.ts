import { IndexedContent, type IndexVersion } from '@loci/indexing';
import { type VectorPoint } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { type EpisodeInContext } from './episode-in-context.js';
import { textToEmbed, toPoint } from './episode-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Episodes as what vectors are kept of. */
@Injectable()
export class IndexedEpisodes extends IndexedContent<EpisodeInContext> {
  constructor(private readonly state: IndexStateRepository) {
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

  override markIndexed(indexVersion: IndexVersion, episodes: readonly EpisodeInContext[]): Promise<string[]> {
    const indexed = episodes.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid }));
    return this.state.markIndexed(indexVersion, indexed);
  }

  override dropTombstones(projectUid: string, uids: readonly string[]): Promise<void> {
    return this.state.dropTombstones(projectUid, uids);
  }
}
