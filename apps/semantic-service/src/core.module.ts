import { NatsModule } from '@loci/messaging';
import { PersistenceModule } from '@loci/persistence';
import { PlatformModule } from '@loci/platform';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SCHEMA } from './database.js';
import { SemanticServiceEnv } from './env.js';

/** What the api and the worker both stand on. */
@Global()
@Module({})
export class CoreModule {
  static forRoot(env: SemanticServiceEnv, service: string): DynamicModule {
    return {
      module: CoreModule,
      imports: [
        PlatformModule.forRoot({ service, level: env.LOG_LEVEL }),
        NatsModule.forRoot({ url: env.NATS_URL, name: service }),
        PersistenceModule.forRoot({
          url: env.DATABASE_URL,
          schema: SCHEMA,
          entities: [],
          poolSize: env.DATABASE_POOL_SIZE,
        }),
      ],
      providers: [{ provide: SemanticServiceEnv, useValue: env }],
      exports: [SemanticServiceEnv],
    };
  }
}
