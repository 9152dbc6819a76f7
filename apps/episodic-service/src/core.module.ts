import { serviceModules, VectorServiceEnv } from '@loci/indexing';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SCHEMA } from './database.js';
import { ENTITIES } from './entities.js';
import { EpisodicServiceEnv } from './env.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { Conversations } from './episodes/conversations.js';

/** What the api and the worker both stand on. */
@Global()
@Module({})
export class CoreModule {
  /** @param isBackground whether clients wait for none of its work */
  static forRoot(env: EpisodicServiceEnv, service: string, isBackground = false): DynamicModule {
    return {
      module: CoreModule,
      imports: serviceModules(env, {
        service,
        schema: SCHEMA,
        entities: ENTITIES,
        migrations: MIGRATIONS,
        isBackground,
      }),
      providers: [
        { provide: EpisodicServiceEnv, useValue: env },
        { provide: VectorServiceEnv, useExisting: EpisodicServiceEnv },
        { provide: Conversations, useValue: new Conversations(env.CONVERSATION_KEYS) },
      ],
      exports: [EpisodicServiceEnv, VectorServiceEnv, Conversations],
    };
  }
}
