import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { IndexReconciler } from './index-reconciler.js';
import { type IndexWork, IndexSweeper } from './index-sweeper.js';

/** A write to the index that began before it was lost has ended, or failed, by then. */
const REBUILD_SETTLE_MS = 30_000;

/** When another worker compares, it may have passed what this one has reason to compare. */
const BUSY_PAUSE_MS = 30_000;

/** The periodic job of the worker: is there an index, is anything overdue, does the index agree with the tables. */
@Injectable()
export class IndexUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: PeriodicTask;
  private nextCheckMs = 0;
  private nextReconciliationMs = 0;

  constructor(
    private readonly env: VectorServiceEnv,
    private readonly sweeper: IndexSweeper<IndexWork>,
    private readonly reconciler: IndexReconciler,
    logger: Logger,
  ) {
    this.rounds = new PeriodicTask({
      name: 'upkeep of the vector index',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: (signal) => this.goRound(signal),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.reconciler.stop();
    await this.rounds.stop();
  }

  private async goRound(signal: AbortSignal): Promise<void> {
    const wasLost = await this.reconciler.ensureIndexes();
    // a row whose point went into the lost index may be noted as indexed a moment after all were noted as lost
    if (wasLost) this.nextReconciliationMs = Date.now() + REBUILD_SETTLE_MS;
    await this.sweeper.sweep();
    if (await this.isReconciliationDue()) await this.reconcile(signal);
  }

  private async reconcile(signal: AbortSignal): Promise<void> {
    this.nextReconciliationMs = Date.now() + this.env.RECONCILE_INTERVAL_MS;
    const isComplete = await this.reconciler.reconcile(signal);
    if (!isComplete) this.nextReconciliationMs = Date.now() + BUSY_PAUSE_MS;
  }

  private async isReconciliationDue(): Promise<boolean> {
    const now = Date.now();
    if (now >= this.nextReconciliationMs) return true;
    if (now < this.nextCheckMs) return false;
    this.nextCheckMs = now + this.env.RECONCILE_CHECK_INTERVAL_MS;
    return this.reconciler.looksWrong();
  }
}
