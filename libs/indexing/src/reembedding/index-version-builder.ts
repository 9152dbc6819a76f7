import { AppError } from '@loci/contracts';
import { LeasedWork } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { ContentIndexer } from '../content/content-indexer.js';
import { IndexedContent } from '../content/indexed-content.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { IndexVersions } from '../index-versions/index-versions.js';
import { type ClaimedIndexVersion, ReembeddingsRepository } from './reembeddings.repository.js';

/** Rows embedded together: after a crash, at most this much is done again. */
const STEP = 64;

/** How long an index version rests whose embedder, or index, cannot be reached. */
const PAUSE_MS = 3_000;

/**
 * Fills index versions that are being built, and makes them the active ones. One worker fills one index version at a time;
 * one that dies leaves it to another when its lease ends, and one that is late stops.
 */
@Injectable()
export class IndexVersionBuilder {
  private readonly work: LeasedWork<ClaimedIndexVersion>;

  constructor(
    env: VectorServiceEnv,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly indexVersions: IndexVersions,
    private readonly content: IndexedContent<unknown>,
    private readonly indexer: ContentIndexer<unknown>,
    private readonly logger: Logger,
  ) {
    this.work = new LeasedWork(reembeddings, env.LEASE_MS, logger);
  }

  /** Builds until no index version is left that it could go on with, or one fails: the next round begins with others. @returns whether there was any */
  async build(signal: AbortSignal): Promise<boolean> {
    for (let isAny = false; ; isAny = true) {
      if (signal.aborted) return true;
      const isBuilt = await this.work.next(
        (leaseMs) => this.reembeddings.claim(leaseMs),
        (claimed, lost) => this.tryToFill(claimed, AbortSignal.any([signal, lost])),
      );
      if (!isBuilt) return isAny || isBuilt === false;
    }
  }

  /** What is being built does not count as unfinished. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  private async tryToFill(claimed: ClaimedIndexVersion, signal: AbortSignal): Promise<boolean> {
    try {
      await this.fill(claimed, signal);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.logger.warn('re-embedding is stuck; trying again', {
        ownerUid: claimed.ownerUid,
        embedder: claimed.embedder,
        error,
      });
      await this.reembeddings.release(claimed, PAUSE_MS, error.message);
      return false;
    }
  }

  private async fill(claimed: ClaimedIndexVersion, signal: AbortSignal): Promise<void> {
    const open = this.indexVersions.open(claimed);
    let after: unknown;
    while (!signal.aborted) {
      const items = await this.content.missing(claimed, after, STEP);
      after = items.at(-1);
      if (items.length > 0) {
        await this.indexer.index(open, items);
        if (!(await this.reembeddings.note(claimed, items.length))) return;
      } else if (await this.reembeddings.complete(claimed)) {
        this.logger.info('re-embedding is complete', {
          ownerUid: claimed.ownerUid,
          embedder: claimed.embedder,
        });
        return;
      }
    }
    await this.reembeddings.release(claimed, 0, undefined);
  }
}
