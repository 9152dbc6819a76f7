import { ConsumerModule } from '@loci/messaging';
import { UnitOfWork } from '@loci/persistence';
import { Module } from '@nestjs/common';
import { Courtesy } from './courtesy.js';
import { IndexConsumers } from './index-consumers.js';
import { IndexKeeper } from './index-keeper.js';
import { IndexMetrics } from './index-metrics.js';
import { IndexReconciler } from './index-reconciler.js';
import { IndexSweeper } from './index-sweeper.js';
import { IndexingModule } from './indexing.module.js';

/** The worker's side of the vector index: follow the events, sweep up what was missed, repair what differs. */
@Module({
  imports: [ConsumerModule, IndexingModule],
  providers: [
    {
      provide: Courtesy,
      inject: [UnitOfWork],
      useFactory: (unitOfWork: UnitOfWork) => new Courtesy({ probe: () => timeToAnswer(unitOfWork) }),
    },
    IndexConsumers,
    IndexSweeper,
    IndexReconciler,
    IndexKeeper,
    IndexMetrics,
  ],
})
export class IndexUpkeepModule {}

/** @returns how long the database takes for a statement that costs nothing, in milliseconds */
async function timeToAnswer(unitOfWork: UnitOfWork): Promise<number> {
  const begun = performance.now();
  await unitOfWork.single((manager) => manager.query('SELECT 1'));
  return performance.now() - begun;
}
