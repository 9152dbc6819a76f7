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

/** Steps after which others have their turn. */
const STEPS_OF_A_TURN = 32;

/** Organizations that were served lately, as far as it is remembered. */
const SERVED = 256;

/** How long an index version rests whose embedder, or index, cannot be reached. */
const PAUSE_MS = 3_000;

/**
 * Fills index versions that are being built, and makes them the active ones. A worker fills one index version of each embedder
 * at a time, so that an embedder that hangs or is slow keeps no other waiting. A worker that dies leaves its index versions to
 * another when their leases end, and one that is late stops. After some steps another one has its turn, of the organization that
 * was served longest ago: neither a large project nor very many keep others waiting.
 *
 * What was unfinished before, because its process ended, has no other such beside it: of those that are found unfinished then,
 * only what ends the process again reaches three (decision 0018).
 */
@Injectable()
export class IndexVersionBuilder {
  private readonly work: LeasedWork<ClaimedIndexVersion>;
  /** What is being filled, with its end, which never rejects. */
  private readonly underWay = new Map<ClaimedIndexVersion, Promise<void>>();
  /** Organizations, the one that was served last at the end. */
  private served: readonly string[] = [];
  private readonly stopping = new AbortController();
  private claiming: Promise<unknown> = Promise.resolve();

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

  /**
   * Begins with every embedder that has nothing under way. Each goes on by itself until none of its index versions is left, or one
   * fails: the next round begins with others.
   * @returns whether anything was begun, or is under way
   */
  build(): Promise<boolean> {
    // one claim after the other, so that each knows what the ones before it have begun
    const begun = this.claiming.then(() => this.beginAll());
    this.claiming = begun.catch(() => undefined);
    return begun;
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay.values());
  }

  /** What is being built does not count as unfinished. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.work.stop();
    await this.claiming;
    await this.ended();
  }

  private async beginAll(): Promise<boolean> {
    let isAny = this.underWay.size > 0;
    while (!this.stopping.signal.aborted) {
      const begun = await this.work.begin(
        (leaseMs) => this.claim(leaseMs),
        (claimed, lost) => this.tryToFill(claimed, AbortSignal.any([this.stopping.signal, lost])),
      );
      if (!begun) break;
      this.underWay.set(begun.claim, this.follow(begun.claim, begun.ended));
      isAny = true;
    }
    return isAny;
  }

  private async claim(leaseMs: number): Promise<ClaimedIndexVersion | undefined> {
    const all = [...this.underWay.keys()];
    const claimed = await this.reembeddings.claim(leaseMs, {
      busy: all.map(({ embedder }) => embedder),
      mayBeUnfinished: all.every(({ unfinished }) => unfinished === 0),
      served: this.served,
    });
    if (claimed)
      this.served = [...this.served.filter((orgId) => orgId !== claimed.orgId), claimed.orgId].slice(-SERVED);
    return claimed;
  }

  /** Its embedder goes on with the next, unless it failed. Never rejects. */
  private async follow(claimed: ClaimedIndexVersion, ended: Promise<boolean>): Promise<void> {
    const { ownerUid, embedder } = claimed;
    let isFilled = false;
    try {
      isFilled = await ended;
    } catch (error) {
      const what = 're-embedding failed; trying again when its lease ends';
      this.logger.warn(what, { ownerUid, embedder, error });
    }
    this.underWay.delete(claimed);
    if (!isFilled) return;
    await this.build().catch((error: unknown) => {
      this.logger.warn('could not go on with the next re-embedding; trying again soon', { embedder, error });
    });
  }

  private async tryToFill(claimed: ClaimedIndexVersion, signal: AbortSignal): Promise<boolean> {
    try {
      await this.count(claimed);
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

  /** For metrics alone: what is not counted is filled all the same. */
  private async count(claimed: ClaimedIndexVersion): Promise<void> {
    try {
      await this.reembeddings.count(claimed);
    } catch (error) {
      const { ownerUid, embedder } = claimed;
      this.logger.warn('could not count what is to be re-embedded', { ownerUid, embedder, error });
    }
  }

  private async fill(claimed: ClaimedIndexVersion, signal: AbortSignal): Promise<void> {
    const open = this.indexVersions.open(claimed);
    for (let steps = 0; steps < STEPS_OF_A_TURN && !signal.aborted; steps += 1) {
      const items = await this.content.missing(claimed, STEP);
      if (items.length > 0) {
        await this.indexer.index(open, items);
        if (!(await this.reembeddings.note(claimed, items.length))) return;
      } else if (await this.reembeddings.complete(claimed)) {
        this.logger.info('re-embedding is complete', {
          ownerUid: claimed.ownerUid,
          embedder: claimed.embedder,
        });
        await this.markRest(claimed);
        return;
      }
    }
    await this.reembeddings.release(claimed, 0, undefined);
  }

  /** What the former embedder could not embed. It is searched already: what stays unmarked is embedded again. */
  private async markRest(claimed: ClaimedIndexVersion): Promise<void> {
    try {
      // the claim has ended with the switch, and its signal with it
      while (!this.stopping.signal.aborted && (await this.reembeddings.markSome(claimed)));
    } catch (error) {
      const { ownerUid, embedder } = claimed;
      this.logger.warn('could not mark all that was re-embedded', { ownerUid, embedder, error });
    }
  }
}
