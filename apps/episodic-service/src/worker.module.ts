import { REEMBEDDING_LEASE } from '@loci/indexing';
import { OutboxRelayModule, SetAsideModule } from '@loci/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { CoreModule } from './core.module.js';
import { DELETION_LEASE } from './deletions/deletion-lease.js';
import { DeletionWorkModule } from './deletions/deletion-work.module.js';
import { type EpisodicServiceEnv } from './env.js';
import { ExpiryModule } from './expiry/expiry.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { IndexUpkeepModule } from './indexing/index-upkeep.module.js';
import { ReembeddingModule } from './reembedding/reembedding.module.js';
import { SUMMARY_LEASE } from './summaries/summary-lease.js';
import { SummaryUpkeepModule } from './summaries/summary-upkeep.module.js';

const LEASED_TABLES = [
  { kind: 'deletion', table: 'deletions', lease: DELETION_LEASE },
  { kind: 're-embedding', table: 'index_spaces', lease: REEMBEDDING_LEASE },
  { kind: 'summary', table: 'summaries', lease: SUMMARY_LEASE },
];

/** Works behind the answers; scales on what is waiting. */
@Module({})
export class WorkerModule {
  static forRoot(env: EpisodicServiceEnv, service: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        CoreModule.forRoot(env, service, true),
        OutboxRelayModule,
        IndexUpkeepModule,
        ReembeddingModule,
        SummaryUpkeepModule,
        DeletionWorkModule,
        ExpiryModule,
        ErasureModule,
        SetAsideModule.forRoot(LEASED_TABLES),
      ],
    };
  }
}
