import { AppError } from '@loci/contracts';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { Embedders } from '../index-versions/embedders.js';
import { type IndexVersionModel } from '../index-versions/index-version.js';
import { IndexVersionsRepository } from '../index-versions/index-versions.repository.js';
import { ReembeddingsRepository } from './reembeddings.repository.js';

/** Owners that are looked at in one step. */
const STEP = 500;

/** Of an embedder whose provider has not said yet what it is. */
const LATE = Symbol('late');

/** Notices that owners should use another embedder than they do, and begins to build what they need for it. */
@Injectable()
export class ReembeddingPlanner {
  /** Where the look at some goes on. */
  private after: string | undefined;
  /** What embedders stood for when all owners were looked at last. */
  private plannedFor: string | undefined;

  constructor(
    private readonly embedders: Embedders,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly indexVersions: IndexVersionsRepository,
    private readonly collections: VectorCollections,
    private readonly logger: Logger,
  ) {}

  /**
   * Owners whose embedder is not ready stay where they are until it is; so do those of one that takes too long to say what it is.
   * @param share all owners, or the next few hundred: all are looked at anyway when a name stands for another model than before
   * @returns whether every embedder was heard of; one that was not may be a moment later
   */
  async plan(signal: AbortSignal, share: 'all' | 'some' = 'all'): Promise<boolean> {
    const defaultName = this.embedders.defaultName;
    const names = new Set([defaultName, ...(await this.reembeddings.chosenNames())]);
    const found = await Promise.all([...names].map((name) => this.modelOf(name)));
    const models = found.filter((model) => model !== undefined && model !== LATE);
    const isComplete = !found.includes(LATE);
    for (const model of models) {
      if (await this.indexVersions.addCollection(model)) await this.collections.get(model).ensureCollection();
    }
    const plannedFor = JSON.stringify([defaultName, ...models.map((model) => JSON.stringify(model)).sort()]);
    const isForSome = share === 'some' && plannedFor === this.plannedFor;
    if (!isForSome) this.after = undefined;
    while (!signal.aborted) {
      const { due, last } = await this.reembeddings.due(models, defaultName, STEP, this.after);
      for (const reembedding of due) await this.reembeddings.begin(reembedding);
      this.after = last;
      if (last === undefined) this.plannedFor = plannedFor;
      if (last === undefined || isForSome) return isComplete;
    }
    return isComplete;
  }

  private async modelOf(name: string): Promise<IndexVersionModel | undefined | typeof LATE> {
    try {
      // not for long: the owners of other embedders would wait
      const { fingerprint, dimensions } = await this.embedders.namedSoon(name);
      return { embedder: name, fingerprint, dimensions };
    } catch (error) {
      this.logger.debug('an embedder is not ready; its vectors stay where they are', {
        embedder: name,
        error,
      });
      return error instanceof AppError && error.code === 'embedder_unavailable' ? LATE : undefined;
    }
  }
}
