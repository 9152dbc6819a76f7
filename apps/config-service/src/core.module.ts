import { NatsModule } from '@loci/messaging';
import { PersistenceModule } from '@loci/persistence';
import { PlatformModule } from '@loci/platform';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SCHEMA } from './database.js';
import { ENTITIES } from './entities.js';
import { ConfigServiceEnv } from './env.js';
import { MIGRATIONS } from './migrations/migrations.js';

/** What every module of the service stands on. */
@Global()
@Module({})
export class CoreModule {
  static forRoot(env: ConfigServiceEnv, service: string): DynamicModule {
    return {
      module: CoreModule,
      imports: [
        PlatformModule.forRoot({ service, level: env.LOG_LEVEL }),
        NatsModule.forRoot({ url: env.NATS_URL, name: service, findsStreams: true }),
        PersistenceModule.forRoot({
          url: env.DATABASE_URL,
          directUrl: env.DATABASE_DIRECT_URL,
          schema: SCHEMA,
          entities: ENTITIES,
          migrations: MIGRATIONS,
          poolSize: env.DATABASE_POOL_SIZE,
        }),
      ],
      providers: [{ provide: ConfigServiceEnv, useValue: env }],
      exports: [ConfigServiceEnv],
    };
  }
}
