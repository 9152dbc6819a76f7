import { AppError } from '@loci/contracts';
import { type EmbedPriority } from '@loci/models';
import { annotate, inChildSpan } from '@loci/platform';
import { type IndexSpaces } from '../spaces/index-spaces.js';
import { type OpenSpace } from '../spaces/open-space.js';
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
    private readonly spaces: Pick<IndexSpaces, 'ensure' | 'find'>,
    private readonly state: IndexStateRepository,
  ) {}

  /**
   * Embeds those that have no vector yet, removes the vectors of those that are gone; in the active space, and in the
   * one that is being built.
   * @param priority of the embedding: `query` when a request waits for it, which then does nothing for the other space
   */
  async bringInLine(
    projectUid: string,
    uids: readonly string[],
    priority: EmbedPriority = 'index',
  ): Promise<void> {
    const { active, building } = await this.spaces.ensure(projectUid);
    try {
      if (active) await this.bringInto(active, uids, priority);
    } finally {
      if (building && priority === 'index') await this.tryToBringInto(building, uids);
    }
  }

  /** Removes the vectors of deleted episodes, then their tombstones. */
  async purge(projectUid: string, uids: readonly string[]): Promise<void> {
    const { all } = await this.spaces.find(projectUid);
    for (const { vectors } of all) await vectors.remove(projectUid, uids);
    await this.state.dropTombstones(projectUid, uids);
  }

  /** Embeds these episodes and notes that the space has them. */
  async index(
    open: OpenSpace,
    episodes: readonly EpisodeInContext[],
    priority: EmbedPriority = 'index',
  ): Promise<void> {
    if (episodes.length === 0) return;
    const { space, vectors } = open;
    const dense = await open.embed(episodes.map(textToEmbed), priority);
    const points = episodes.map((episode, place) => {
      const vector = dense[place];
      if (!vector) throw new Error(`The embedder gave ${dense.length} vectors for ${episodes.length} texts.`);
      return toPoint(episode, vector);
    });
    await vectors.upsert(space.projectUid, points);
    const indexed = episodes.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid }));
    const deletedMeanwhile = await this.state.markIndexed(space, indexed);
    if (deletedMeanwhile.length > 0) await vectors.remove(space.projectUid, deletedMeanwhile);
  }

  private async bringInto(open: OpenSpace, uids: readonly string[], priority: EmbedPriority): Promise<void> {
    for (let start = 0; start < uids.length; start += STEP) {
      const step = uids.slice(start, start + STEP);
      await inChildSpan('index episodes', {}, () => this.bringStepInto(open, step, priority));
    }
  }

  /** The span tells how many had their vectors already: of a search's tail, of a sweep, of another delivery. */
  private async bringStepInto(
    open: OpenSpace,
    uids: readonly string[],
    priority: EmbedPriority,
  ): Promise<void> {
    const { wanted, gone } = await this.state.sort(open.space, uids);
    annotate({
      'loci.episodes.embedded': wanted.length,
      'loci.episodes.removed': gone.length,
      'loci.episodes.indexed_before': uids.length - wanted.length - gone.length,
    });
    if (gone.length > 0) await open.vectors.remove(open.space.projectUid, gone);
    await this.index(open, wanted, priority);
  }

  /** Whoever builds the space comes back to what is missing there. */
  private async tryToBringInto(building: OpenSpace, uids: readonly string[]): Promise<void> {
    try {
      await this.bringInto(building, uids, 'index');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}
