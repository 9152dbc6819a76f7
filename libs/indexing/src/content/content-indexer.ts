import { AppError } from '@loci/contracts';
import { type EmbedPriority } from '@loci/models';
import { annotate, inChildSpan } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { ignoreMissing, IndexVersions } from '../index-versions/index-versions.js';
import { type OpenIndexVersion } from '../index-versions/open-index-version.js';
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
    private readonly indexVersions: IndexVersions,
    private readonly content: IndexedContent<Item>,
  ) {}

  /**
   * Embeds those that have no vector yet, removes the vectors of those that are gone; in the active index version, and in the
   * one that is being built.
   * @param priority of the embedding: `query` when a request waits for it, which then does nothing for the other index version
   */
  async bringInLine(
    ownerUid: string,
    uids: readonly string[],
    priority: EmbedPriority = 'index',
  ): Promise<void> {
    const { active, building } = await this.indexVersions.ensure(ownerUid);
    try {
      if (active) await this.bringInto(active, uids, priority);
    } finally {
      if (building && priority === 'index') await this.tryToBringInto(building, uids);
    }
  }

  /** Removes the vectors of what is deleted, then its tombstones. */
  async purge(ownerUid: string, uids: readonly string[]): Promise<void> {
    const { all } = await this.indexVersions.find(ownerUid);
    for (const { indexVersion, vectors } of all) {
      const removed = vectors.remove(ownerUid, uids);
      // what is not searched any more is not rebuilt when it is lost
      await (indexVersion.state === 'retiring' ? removed.catch(ignoreMissing) : removed);
    }
    await this.content.dropTombstones(ownerUid, uids);
  }

  /** Embeds these and notes that the index version has them. */
  async index(
    open: OpenIndexVersion,
    items: readonly Item[],
    priority: EmbedPriority = 'index',
  ): Promise<void> {
    if (items.length === 0) return;
    const { indexVersion, vectors } = open;
    const dense = await open.embed(
      items.map((item) => this.content.textToEmbed(item)),
      { priority, inputType: 'document' },
    );
    const points = items.map((item, index) => {
      const vector = dense[index];
      if (!vector) throw new Error(`The embedder gave ${dense.length} vectors for ${items.length} texts.`);
      return this.content.toPoint(item, vector);
    });
    await vectors.upsert(indexVersion.ownerUid, points);
    const deletedMeanwhile = await this.content.markIndexed(indexVersion, items);
    if (deletedMeanwhile.length > 0) await vectors.remove(indexVersion.ownerUid, deletedMeanwhile);
  }

  private async bringInto(
    open: OpenIndexVersion,
    uids: readonly string[],
    priority: EmbedPriority,
  ): Promise<void> {
    for (let start = 0; start < uids.length; start += STEP) {
      const step = uids.slice(start, start + STEP);
      await inChildSpan('index', {}, () => this.bringStepInto(open, step, priority));
    }
  }

  /** The span tells how many had their vectors already: by a search, by a sweep, of another delivery. */
  private async bringStepInto(
    open: OpenIndexVersion,
    uids: readonly string[],
    priority: EmbedPriority,
  ): Promise<void> {
    const { wanted, gone } = await this.content.sort(open.indexVersion, uids);
    annotate({
      'loci.index.embedded': wanted.length,
      'loci.index.removed': gone.length,
      'loci.index.there_before': uids.length - wanted.length - gone.length,
    });
    if (gone.length > 0) await open.vectors.remove(open.indexVersion.ownerUid, gone);
    await this.index(open, wanted, priority);
  }

  /** The builder of the index version comes back to what is missing there. */
  private async tryToBringInto(building: OpenIndexVersion, uids: readonly string[]): Promise<void> {
    try {
      await this.bringInto(building, uids, 'index');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}
