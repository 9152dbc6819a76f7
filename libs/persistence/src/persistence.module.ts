import { type DynamicModule, Module } from '@nestjs/common';
import { DeadLetterSink, UnfinishedDeliveries } from '@loci/messaging';
import { HealthChecks, Logger } from '@loci/platform';
import { DeadLetters } from './dead-letters/dead-letters.js';
import { Idempotency } from './idempotency/idempotency.js';
import { WorkLeases } from './lease/work-leases.js';
import { Outbox } from './outbox/outbox.js';
import { Database } from './database/database.js';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from './database/persistence-options.js';
import { type SchemaMigrations } from './migrations/migrations-options.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { NotedDeliveries } from './unfinished-deliveries/noted-deliveries.js';

/**
 * The schema of a service and what every service does with one, for every module of the process. The process does not
 * start without PostgreSQL (`DatabaseUnreachableError`) or with a schema older than its code (`SchemaOutdatedError`), and
 * reports `postgres` in its readiness. The tables are made by the service's migrations, with `createOutboxTable` and its
 * siblings.
 */
@Module({})
export class PersistenceModule {
  /** @param options with the migrations that the version of the service needs */
  static forRoot(options: PersistenceOptions & SchemaMigrations): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [
        { provide: PERSISTENCE_OPTIONS, useValue: options },
        {
          provide: Database,
          inject: [Logger, HealthChecks],
          useFactory: async (logger: Logger, health: HealthChecks) => {
            const database = await Database.connect(options, logger);
            await database.waitForMigrations(options);
            health.register('postgres', () => database.answers());
            return database;
          },
        },
        UnitOfWork,
        Outbox,
        Idempotency,
        WorkLeases,
        DeadLetters,
        { provide: DeadLetterSink, useExisting: DeadLetters },
        { provide: UnfinishedDeliveries, useClass: NotedDeliveries },
      ],
      exports: [
        ...[PERSISTENCE_OPTIONS, Database, UnitOfWork, Outbox, Idempotency, WorkLeases],
        ...[DeadLetters, DeadLetterSink, UnfinishedDeliveries],
      ],
    };
  }
}
