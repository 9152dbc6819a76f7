import { serviceModules, VectorServiceEnv } from '@loci/indexing';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SCHEMA } from './database.js';
import { ENTITIES } from './entities.js';
import { SemanticServiceEnv } from './env.js';
import { MIGRATIONS } from './migrations/migrations.js';

/** It pays for models: switched off, it asks none about two seconds later, also when it does not hear of that. */
const REGISTRY_CHECK_MS = 1_500;

/** What the api and the worker both stand on. */
@Global()
@Module({})
export class CoreModule {
  /** @param isBackground whether clients wait for none of its work */
  static forRoot(env: SemanticServiceEnv, service: string, isBackground = false): DynamicModule {
    return {
      module: CoreModule,
      imports: serviceModules(env, {
        service,
        schema: SCHEMA,
        entities: ENTITIES,
        migrations: MIGRATIONS,
        isBackground,
        languageModelConcurrency: env.INGESTION_CONCURRENCY,
        registryCheckMs: REGISTRY_CHECK_MS,
      }),
      providers: [
        { provide: SemanticServiceEnv, useValue: env },
        { provide: VectorServiceEnv, useExisting: SemanticServiceEnv },
      ],
      exports: [SemanticServiceEnv, VectorServiceEnv],
    };
  }
}
