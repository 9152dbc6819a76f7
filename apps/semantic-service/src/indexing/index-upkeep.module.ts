import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { IndexConsumer } from './index-consumer.js';
import { IndexKeeper } from './index-keeper.js';
import { IndexMetrics } from './index-metrics.js';
import { IndexReconciler } from './index-reconciler.js';
import { IndexSweeper } from './index-sweeper.js';
import { IndexingModule } from './indexing.module.js';

/** The worker's side of the vector index: follow the orders, sweep up what was missed, repair what differs. */
@Module({
  imports: [ConsumerModule, IndexingModule],
  providers: [IndexConsumer, IndexSweeper, IndexReconciler, IndexKeeper, IndexMetrics],
})
export class IndexUpkeepModule {}
