import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { IndexVersionsRepository } from '../index-versions/index-versions.repository.js';
import { IndexReconciler } from './index-reconciler.js';
import { type IndexWork, IndexSweeper } from './index-sweeper.js';
import { LostIndexes } from './lost-indexes.js';

/** The periodic jobs of the worker: is there an index; is anything overdue, and does the index agree with the tables. */
@Injectable()
export class IndexUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly looks: PeriodicTask;
  private readonly rounds: PeriodicTask;

  constructor(
    private readonly env: VectorServiceEnv,
    private readonly indexVersions: IndexVersionsRepository,
    private readonly lostIndexes: LostIndexes,
    private readonly sweeper: IndexSweeper<IndexWork>,
    private readonly reconciler: IndexReconciler,
    logger: Logger,
  ) {
    this.looks = new PeriodicTask({
      name: 'look for lost vector indexes',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: () => this.look(),
      logger,
    });
    this.rounds = new PeriodicTask({
      name: 'upkeep of the vector index',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: (signal) => this.goRound(signal),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.looks.start();
    this.rounds.start();
  }

  /** Rows wait that no message names: they are swept once they are overdue, and not only when it next looks. */
  leaveToSweeper(): void {
    this.rounds.stayAwake(this.env.SWEEP_PATIENCE_MS + this.env.SWEEP_INTERVAL_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.reconciler.stop();
    await Promise.all([this.looks.stop(), this.rounds.stop()]);
  }

  /** Never slows down: what is lost is missed by searches. */
  private async look(): Promise<void> {
    const collections = await this.indexVersions.collections();
    if (await this.lostIndexes.replace(collections)) this.rounds.wake();
  }

  private async goRound(signal: AbortSignal): Promise<boolean> {
    const isAnyOverdue = await this.sweeper.sweep(signal);
    const goesOn = await this.reconciler.reconcile(await this.indexVersions.collections(), signal);
    return isAnyOverdue || goesOn;
  }
}
