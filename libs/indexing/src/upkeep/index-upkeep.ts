import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { IndexVersionsRepository } from '../index-versions/index-versions.repository.js';
import { IndexReconciler } from './index-reconciler.js';
import { type IndexWork, IndexSweeper } from './index-sweeper.js';
import { LostIndexes } from './lost-indexes.js';

/** The periodic job of the worker: is there an index, is anything overdue, does the index agree with the tables. */
@Injectable()
export class IndexUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: PeriodicTask;

  constructor(
    env: VectorServiceEnv,
    private readonly indexVersions: IndexVersionsRepository,
    private readonly lostIndexes: LostIndexes,
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
    const collections = await this.indexVersions.collections();
    await this.lostIndexes.replace(collections);
    await this.sweeper.sweep();
    await this.reconciler.reconcile(collections, signal);
  }
}
