import { Database, UnitOfWork } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Module } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { KeyChangesModule } from '../key-changes/key-changes.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { ExpiredKeys } from './expired-keys.js';

/** Connections for look-ups alone. */
const LOOKUP_DATABASE = Symbol('the database of key look-ups');

@Module({
  imports: [ProjectsModule, QuotasModule, KeyChangesModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ExpiredKeys,
    {
      provide: LOOKUP_DATABASE,
      inject: [ConfigServiceEnv, Logger],
      useFactory: ({ DATABASE_URL, KEY_LOOKUP_POOL_SIZE }: ConfigServiceEnv, logger: Logger) => {
        const options = {
          url: DATABASE_URL,
          schema: SCHEMA,
          entities: ENTITIES,
          poolSize: KEY_LOOKUP_POOL_SIZE,
        };
        return Database.connect(options, logger);
      },
    },
    {
      provide: ApiKeysRepository,
      inject: [UnitOfWork, LOOKUP_DATABASE],
      useFactory: (unitOfWork: UnitOfWork, lookups: Database) =>
        new ApiKeysRepository(unitOfWork, new UnitOfWork(lookups)),
    },
  ],
})
export class ApiKeysModule {}
