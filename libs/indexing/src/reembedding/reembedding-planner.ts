import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { Embedders } from '../index-versions/embedders.js';
import { type IndexVersionModel } from '../index-versions/index-version.js';
import { IndexVersionsRepository } from '../index-versions/index-versions.repository.js';
import { ReembeddingsRepository } from './reembeddings.repository.js';

/** Owners whose re-embedding starts in one step. */
const STEP = 200;

/** Notices that owners should use another embedder than they do, and begins to build what they need for it. */
@Injectable()
export class ReembeddingPlanner {
  constructor(
    private readonly embedders: Embedders,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly indexVersions: IndexVersionsRepository,
    private readonly collections: VectorCollections,
    private readonly logger: Logger,
  ) {}

  /** Owners whose embedder is not ready stay where they are until it is. */
  async plan(signal: AbortSignal): Promise<void> {
    const defaultName = this.embedders.defaultName;
    const names = new Set([defaultName, ...(await this.reembeddings.chosenNames())]);
    const found = await Promise.all([...names].map((name) => this.modelOf(name)));
    const models = found.filter((model) => model !== undefined);
    for (const model of models) {
      if (await this.indexVersions.addCollection(model)) await this.collections.get(model).ensureCollection();
    }
    while (!signal.aborted) {
      const due = await this.reembeddings.due(models, defaultName, STEP);
      for (const reembedding of due) await this.reembeddings.begin(reembedding);
      if (due.length < STEP) return;
    }
  }

  private async modelOf(name: string): Promise<IndexVersionModel | undefined> {
    try {
      const { fingerprint, dimensions } = await this.embedders.named(name);
      return { embedder: name, fingerprint, dimensions };
    } catch (error) {
      this.logger.debug('an embedder is not ready; its vectors stay where they are', {
        embedder: name,
        error,
      });
      return undefined;
    }
  }
}
