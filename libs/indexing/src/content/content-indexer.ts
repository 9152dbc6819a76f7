import { AppError } from '@loci/contracts';
import { type EmbedPriority } from '@loci/models';
import { annotate, inChildSpan } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { ignoreMissing, IndexSpaces } from '../spaces/index-spaces.js';
import { type OpenSpace } from '../spaces/open-space.js';
import { IndexedContent } from './indexed-content.js';

/** Rows read, embedded, upserted and marked together: bounds memory, and what a crash makes us do again. */
const STEP = 128;

/**
 * Brings the vectors of named rows in line with their table. Safe to repeat, to interrupt at any line and to run side by
 * side with itself: a point's id is its row's, and what is deleted meanwhile loses its point again.
 */
@Injectable()
export class ContentIndexer<Item> {
  constructor(
    private readonly spaces: IndexSpaces,
    private readonly content: IndexedContent<Item>,
  ) {}

  /**
   * Embeds those that have no vector yet, removes the vectors of those that are gone; in the active space, and in the
   * one that is being built.
   * @param priority of the embedding: `query` when a request waits for it, which then does nothing for the other space
   */
  async bringInLine(
    ownerUid: string,
    uids: readonly string[],
    priority: EmbedPriority = 'index',
  ): Promise<void> {
    const { active, building } = await this.spaces.ensure(ownerUid);
    try {
      if (active) await this.bringInto(active, uids, priority);
    } finally {
      if (building && priority === 'index') await this.tryToBringInto(building, uids);
    }
  }

  /** Removes the vectors of what is deleted, then its tombstones. */
  async purge(ownerUid: string, uids: readonly string[]): Promise<void> {
    const { all } = await this.spaces.find(ownerUid);
    for (const { space, vectors } of all) {
      const removed = vectors.remove(ownerUid, uids);
      // what nobody searches any more is not rebuilt when it is lost
      await (space.state === 'retiring' ? removed.catch(ignoreMissing) : removed);
    }
    await this.content.dropTombstones(ownerUid, uids);
  }

  /** Embeds these and notes that the space has them. */
  async index(open: OpenSpace, items: readonly Item[], priority: EmbedPriority = 'index'): Promise<void> {
    if (items.length === 0) return;
    const { space, vectors } = open;
    const dense = await open.embed(
      items.map((item) => this.content.textToEmbed(item)),
      priority,
    );
    const points = items.map((item, place) => {
      const vector = dense[place];
      if (!vector) throw new Error(`The embedder gave ${dense.length} vectors for ${items.length} texts.`);
      return this.content.toPoint(item, vector);
    });
    await vectors.upsert(space.ownerUid, points);
    const deletedMeanwhile = await this.content.markIndexed(space, items);
    if (deletedMeanwhile.length > 0) await vectors.remove(space.ownerUid, deletedMeanwhile);
  }

  private async bringInto(open: OpenSpace, uids: readonly string[], priority: EmbedPriority): Promise<void> {
    for (let start = 0; start < uids.length; start += STEP) {
      const step = uids.slice(start, start + STEP);
      await inChildSpan('index', {}, () => this.bringStepInto(open, step, priority));
    }
  }

  /** The span tells how many had their vectors already: of a search's tail, of a sweep, of another delivery. */
  private async bringStepInto(
    open: OpenSpace,
    uids: readonly string[],
    priority: EmbedPriority,
  ): Promise<void> {
    const { wanted, gone } = await this.content.sort(open.space, uids);
    annotate({
      'loci.index.embedded': wanted.length,
      'loci.index.removed': gone.length,
      'loci.index.there_before': uids.length - wanted.length - gone.length,
    });
    if (gone.length > 0) await open.vectors.remove(open.space.ownerUid, gone);
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
