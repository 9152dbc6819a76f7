import { Metrics } from '@loci/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from './database/persistence-options.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { type LeasedTable } from './lease/count-set-aside.sql.js';
import { SetAsideMetrics } from './lease/set-aside-metrics.js';

/** Shows the work of a service that is set aside. Needs the global `PersistenceModule`. */
@Module({})
export class SetAsideModule {
  /** @param tables those whose rows are leased themselves */
  static forRoot(tables: readonly LeasedTable[]): DynamicModule {
    return {
      module: SetAsideModule,
      providers: [
        {
          provide: SetAsideMetrics,
          inject: [PERSISTENCE_OPTIONS, UnitOfWork, Metrics],
          useFactory: ({ schema }: PersistenceOptions, unitOfWork: UnitOfWork, metrics: Metrics) =>
            new SetAsideMetrics(metrics, unitOfWork, schema, tables),
        },
      ],
    };
  }
}
