import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { Embedders } from '../spaces/embedders.js';
import { type SpaceModel } from '../spaces/index-space.js';
import { IndexSpacesRepository } from '../spaces/index-spaces.repository.js';
import { MovesRepository } from './moves.repository.js';

/** Owners that begin to move in one step. */
const STEP = 200;

/** Notices that owners should use another embedder than they do, and begins to build what they need for it. */
@Injectable()
export class MovePlanner {
  constructor(
    private readonly embedders: Embedders,
    private readonly moves: MovesRepository,
    private readonly spaces: IndexSpacesRepository,
    private readonly collections: VectorCollections,
    private readonly logger: Logger,
  ) {}

  /** Owners whose embedder is not ready stay where they are until it is. */
  async plan(signal: AbortSignal): Promise<void> {
    const defaultName = this.embedders.defaultName;
    const names = new Set([defaultName, ...(await this.moves.chosenNames())]);
    const found = await Promise.all([...names].map((name) => this.modelOf(name)));
    const models = found.filter((model) => model !== undefined);
    for (const model of models) {
      if (await this.spaces.addCollection(model)) await this.collections.get(model).ensureCollection();
    }
    while (!signal.aborted) {
      const due = await this.moves.due(models, defaultName, STEP);
      for (const move of due) await this.moves.begin(move);
      if (due.length < STEP) return;
    }
  }

  private async modelOf(name: string): Promise<SpaceModel | undefined> {
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
