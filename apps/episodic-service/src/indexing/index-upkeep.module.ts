import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { IndexConsumers } from './index-consumers.js';
import { IndexKeeper } from './index-keeper.js';
import { IndexMetrics } from './index-metrics.js';
import { IndexReconciler } from './index-reconciler.js';
import { IndexSweeper } from './index-sweeper.js';
import { IndexingModule } from './indexing.module.js';

/** The worker's side of the vector index: follow the events, sweep up what was missed, repair what differs. */
@Module({
  imports: [ConsumerModule, IndexingModule],
  providers: [IndexConsumers, IndexSweeper, IndexReconciler, IndexKeeper, IndexMetrics],
})
export class IndexUpkeepModule {}
