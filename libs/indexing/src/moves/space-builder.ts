import { AppError } from '@loci/contracts';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { ContentIndexer } from '../content/content-indexer.js';
import { IndexedContent } from '../content/indexed-content.js';
import { VectorServiceEnv } from '../environment/vector-service-env.js';
import { type IndexSpace } from '../spaces/index-space.js';
import { IndexSpaces } from '../spaces/index-spaces.js';
import { MovesRepository } from './moves.repository.js';

/** Rows embedded together: what a crash makes somebody do again. */
const STEP = 64;

/** How long a space rests whose embedder, or index, cannot be reached. */
const PAUSE_MS = 3_000;

/**
 * Fills spaces that are being built, and makes them the active ones. One worker fills one space at a time; one that dies
 * leaves it to another when its lease ends, and nothing is lost or wrong when both believe to hold it.
 */
@Injectable()
export class SpaceBuilder {
  constructor(
    private readonly env: VectorServiceEnv,
    private readonly moves: MovesRepository,
    private readonly spaces: IndexSpaces,
    private readonly content: IndexedContent<unknown>,
    private readonly indexer: ContentIndexer<unknown>,
    private readonly logger: Logger,
  ) {}

  /** Builds until no space is left that it could go on with, or one fails: the next round begins with others. */
  async build(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const space = await this.moves.claim(this.env.LEASE_MS);
      if (!space) return;
      if (!(await this.tryToFill(space, signal))) return;
    }
  }

  private async tryToFill(space: IndexSpace, signal: AbortSignal): Promise<boolean> {
    try {
      await this.fill(space, signal);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.logger.warn('a move to another embedder does not get on; trying again', {
        ownerUid: space.ownerUid,
        embedder: space.embedder,
        error,
      });
      await this.moves.release(space, PAUSE_MS, error.message);
      return false;
    }
  }

  private async fill(space: IndexSpace, signal: AbortSignal): Promise<void> {
    const open = this.spaces.open(space);
    let after: unknown;
    while (!signal.aborted) {
      const items = await this.content.missing(space, after, STEP);
      after = items.at(-1);
      if (items.length > 0) {
        await this.indexer.index(open, items);
        if (!(await this.moves.renew(space, items.length, this.env.LEASE_MS))) return;
      } else if (await this.moves.complete(space)) {
        this.logger.info('a move to another embedder is complete', {
          ownerUid: space.ownerUid,
          embedder: space.embedder,
        });
        return;
      }
    }
    await this.moves.release(space, 0, undefined);
  }
}
