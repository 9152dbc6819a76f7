import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { IndexReconciler } from './index-reconciler.js';
import { IndexSweeper } from './index-sweeper.js';

/** The worker's rounds: is there an index, is anything overdue, does the index agree with the truth. */
@Injectable()
export class IndexKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: PeriodicTask;
  private nextCheckMs = 0;
  private nextReconciliationMs = 0;

  constructor(
    private readonly env: EpisodicServiceEnv,
    private readonly sweeper: IndexSweeper,
    private readonly reconciler: IndexReconciler,
    logger: Logger,
  ) {
    this.rounds = new PeriodicTask({
      name: 'keeping of the vector index',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: () => this.goRound(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  private async goRound(): Promise<void> {
    await this.reconciler.ensureIndex();
    if (await this.isReconciliationDue()) {
      await this.reconciler.reconcile();
      this.nextReconciliationMs = Date.now() + this.env.RECONCILE_INTERVAL_MS;
    }
    await this.sweeper.sweep();
  }

  private async isReconciliationDue(): Promise<boolean> {
    const now = Date.now();
    if (now >= this.nextReconciliationMs) return true;
    if (now < this.nextCheckMs) return false;
    this.nextCheckMs = now + this.env.RECONCILE_CHECK_INTERVAL_MS;
    return !(await this.reconciler.looksRight());
  }
}
