import { Logger } from '@loci/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { WorkLeases } from '../lease/work-leases.js';
import { Outbox } from '../outbox/outbox.js';
import { ErasedProjects, type ErasedProjectsOptions } from './erased-projects.js';

/** For the module that erases the projects of a service. Needs the global `PersistenceModule`. */
@Module({})
export class ErasedProjectsModule {
  static forRoot(options: ErasedProjectsOptions): DynamicModule {
    return {
      module: ErasedProjectsModule,
      providers: [
        {
          provide: ErasedProjects,
          inject: [UnitOfWork, Idempotency, Outbox, WorkLeases, Logger],
          useFactory: (
            unitOfWork: UnitOfWork,
            idempotency: Idempotency,
            outbox: Outbox,
            leases: WorkLeases,
            logger: Logger,
          ) => new ErasedProjects(options, unitOfWork, idempotency, outbox, leases, logger),
        },
      ],
      exports: [ErasedProjects],
    };
  }
}
