import { REEMBEDDING_LEASE } from '@loci/indexing';
import { OutboxRelayModule, SetAsideModule } from '@loci/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { CoreModule } from './core.module.js';
import { type SemanticServiceEnv } from './env.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { IndexUpkeepModule } from './indexing/index-upkeep.module.js';
import { IngestionWorkerModule } from './ingestion/ingestion-worker.module.js';
import { ReembeddingModule } from './reembedding/reembedding.module.js';

const LEASED_TABLES = [{ kind: 're-embedding', table: 'index_spaces', lease: REEMBEDDING_LEASE }];

/** Works behind the answers; scales on what is waiting. */
@Module({})
export class WorkerModule {
  static forRoot(env: SemanticServiceEnv, service: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        CoreModule.forRoot(env, service, true),
        OutboxRelayModule,
        IndexUpkeepModule,
        ReembeddingModule,
        ErasureModule,
        IngestionWorkerModule,
        SetAsideModule.forRoot(LEASED_TABLES),
      ],
    };
  }
}
