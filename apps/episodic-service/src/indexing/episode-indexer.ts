import { type Embedder, type EmbedPriority } from '@loci/models';
import { type VectorIndex } from '@loci/vectors';
import { type EpisodeInContext } from './episode-in-context.js';
import { textToEmbed, toPoint } from './episode-points.js';
import { type IndexStateRepository } from './index-state.repository.js';

/** Episodes read, embedded, upserted and marked together: bounds memory, and what a crash makes us do again. */
const STEP = 128;

/**
 * Brings the vectors of named episodes in line with the table of episodes. Safe to repeat, to interrupt at any line and
 * to run side by side with itself: a point's id is its episode's, and an episode deleted meanwhile loses its point again.
 */
export class EpisodeIndexer {
  constructor(
    private readonly embedder: Embedder,
    private readonly vectors: VectorIndex,
    private readonly state: IndexStateRepository,
  ) {}

  /**
   * Embeds those that have no vector yet, removes the vectors of those that are gone.
   * @param priority of the embedding: `query` when a request waits for it
   */
  async bringInLine(
    projectUid: string,
    uids: readonly string[],
    priority: EmbedPriority = 'index',
  ): Promise<void> {
    for (let start = 0; start < uids.length; start += STEP) {
      const { wanted, gone } = await this.state.sort(projectUid, uids.slice(start, start + STEP));
      if (gone.length > 0) await this.vectors.remove(projectUid, gone);
      await this.index(projectUid, wanted, priority);
    }
  }

  /** Removes the vectors of deleted episodes, then their tombstones. */
  async purge(projectUid: string, uids: readonly string[]): Promise<void> {
    await this.vectors.remove(projectUid, uids);
    await this.state.dropTombstones(projectUid, uids);
  }

  private async index(
    projectUid: string,
    episodes: readonly EpisodeInContext[],
    priority: EmbedPriority,
  ): Promise<void> {
    if (episodes.length === 0) return;
    const dense = await this.embedder.embed(episodes.map(textToEmbed), { priority });
    const points = episodes.map((episode, place) => {
      const vector = dense[place];
      if (!vector) throw new Error(`The embedder gave ${dense.length} vectors for ${episodes.length} texts.`);
      return toPoint(episode, vector);
    });
    await this.vectors.upsert(projectUid, points);
    const indexed = episodes.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid }));
    const deletedMeanwhile = await this.state.markIndexed(projectUid, indexed);
    if (deletedMeanwhile.length > 0) await this.vectors.remove(projectUid, deletedMeanwhile);
  }
}
