import { type Transaction, UnitOfWork } from '@loci/persistence';
import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { EpisodeRemoval } from '../episodes/episode-removal.js';
import { DeletionsRepository, type ClaimedDeletion } from './deletions.repository.js';

/** Episodes that one step looks at: it bounds a transaction, and the event of what it deletes. */
const STEP = 1_000;

const KEPT_DAYS = 30;

/** How often those that are done for so long are looked for. */
const FORGET_INTERVAL_MS = 60_000;

/**
 * Does deletions by a filter, step by step. A step is one transaction: the lock of the row keeps other workers away, and
 * the position in it is that behind the last step that was committed, so a worker that is killed loses no more than its
 * step. That a step begins is noted before: one that ended its process three times is set aside. Deletions take turns: a
 * large one does not hold up a small one.
 */
@Injectable()
export class DeletionWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;
  private nextForgetMs = 0;

  constructor(
    env: EpisodicServiceEnv,
    private readonly deletions: DeletionsRepository,
    private readonly removal: EpisodeRemoval,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'deletions by a filter',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: (signal) => this.work(signal),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Does all steps that are due. */
  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.step()));
    if (performance.now() < this.nextForgetMs) return;
    this.nextForgetMs = performance.now() + FORGET_INTERVAL_MS;
    await this.deletions.forget(KEPT_DAYS);
  }

  /** @returns false when nothing is due */
  async step(): Promise<boolean> {
    if (!(await this.deletions.isAnyDue())) return false;
    const claimed = await this.deletions.claim();
    if (!claimed) return false;
    try {
      if (await this.unitOfWork.run((tx) => this.stepOf(claimed, tx))) this.removal.wake();
      else await this.deletions.release(claimed);
    } catch (error) {
      this.logger.warn('a step of a deletion failed; trying again later', { deletion: claimed.uid, error });
      await this.deletions.postpone(claimed);
    }
    return true;
  }

  /** @returns false when the claim is lost, or its project closes */
  private async stepOf(claimed: ClaimedDeletion, tx: Transaction): Promise<boolean> {
    const held = await this.deletions.hold(claimed, tx);
    if (!held) return false;
    if (held.emptiedAt !== undefined) {
      await this.deletions.finish(held, tx);
      return true;
    }
    const matched = await this.deletions.match(held, STEP, tx);
    const deleted = await this.removal.remove(held, matched.uids, tx);
    const progress = { deleted: deleted.length, isLast: matched.seen < STEP };
    await this.deletions.advance(held, matched, progress, tx);
    return true;
  }
}
