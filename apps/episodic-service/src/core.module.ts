import { NatsModule } from '@loci/messaging';
import { PersistenceModule } from '@loci/persistence';
import { PlatformModule } from '@loci/platform';
import { RegistryModule } from '@loci/registry';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SCHEMA } from './database.js';
import { EpisodicServiceEnv } from './env.js';

/** What the api and the worker both stand on. */
@Global()
@Module({})
export class CoreModule {
  static forRoot(env: EpisodicServiceEnv, service: string): DynamicModule {
    return {
      module: CoreModule,
      imports: [
        PlatformModule.forRoot({ service, level: env.LOG_LEVEL }),
        NatsModule.forRoot({
          url: env.NATS_URL,
          name: service,
          streamReplicas: env.NATS_STREAM_REPLICAS,
        }),
        RegistryModule.forRoot({
          secretKeys: env.LOCI_SECRET_KEYS,
          allowPrivateEgress: env.EGRESS_ALLOW_PRIVATE,
          embedderThreads: env.EMBEDDER_THREADS,
        }),
        PersistenceModule.forRoot({
          url: env.DATABASE_URL,
          schema: SCHEMA,
          entities: [],
          poolSize: env.DATABASE_POOL_SIZE,
        }),
      ],
      providers: [{ provide: EpisodicServiceEnv, useValue: env }],
      exports: [EpisodicServiceEnv],
    };
  }
}
