import { AppError } from '@loci/contracts';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { type EpisodeInContext } from '../indexing/episode-in-context.js';
import { EpisodeIndexer } from '../indexing/episode-indexer.js';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { type IndexSpace } from '../spaces/index-space.js';
import { IndexSpaces } from '../spaces/index-spaces.js';
import { MovesRepository } from '../spaces/moves.repository.js';

/** Episodes embedded together: what a crash makes somebody do again. */
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
    private readonly env: EpisodicServiceEnv,
    private readonly moves: MovesRepository,
    private readonly spaces: IndexSpaces,
    private readonly state: IndexStateRepository,
    private readonly indexer: EpisodeIndexer,
    private readonly logger: Logger,
  ) {}

  /** Builds until no space is left that it could go on with. */
  async build(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const space = await this.moves.claim(this.env.LEASE_MS);
      if (!space) return;
      await this.tryToFill(space, signal);
    }
  }

  private async tryToFill(space: IndexSpace, signal: AbortSignal): Promise<void> {
    try {
      await this.fill(space, signal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.logger.warn('a project does not get on with its new embedder; trying again', {
        projectUid: space.projectUid,
        embedder: space.embedder,
        error,
      });
      await this.moves.release(space, PAUSE_MS, error.message);
    }
  }

  private async fill(space: IndexSpace, signal: AbortSignal): Promise<void> {
    const open = this.spaces.open(space);
    let after: EpisodeInContext | undefined;
    while (!signal.aborted) {
      const episodes = await this.state.missing(space, after, STEP);
      after = episodes.at(-1);
      if (after) {
        await this.indexer.index(open, episodes);
        if (!(await this.moves.renew(space, episodes.length, this.env.LEASE_MS))) return;
      } else if (await this.moves.complete(space)) {
        this.logger.info('a project is searched by another embedder', {
          projectUid: space.projectUid,
          embedder: space.embedder,
        });
        return;
      }
    }
    await this.moves.release(space, 0, undefined);
  }
}
