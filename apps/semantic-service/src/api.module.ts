import { RpcServerModule } from '@loci/messaging';
import { type DynamicModule, Module } from '@nestjs/common';
import { CategoriesController } from './categories/categories.controller.js';
import { CategoriesModule } from './categories/categories.module.js';
import { ConflictsModule } from './conflicts/conflicts.module.js';
import { CoreModule } from './core.module.js';
import { EditingController } from './editing/editing.controller.js';
import { EditingModule } from './editing/editing.module.js';
import { type SemanticServiceEnv } from './env.js';
import { FeatureIndexModule } from './feature-index/feature-index.module.js';
import { ForgettingModule } from './forgetting/forgetting.module.js';
import { HealthController } from './health/health.controller.js';
import { IngestionApiModule } from './ingestion/ingestion-api.module.js';
import { QuotasModule } from './quotas/quotas.module.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ProposalsModule } from './proposals/proposals.module.js';
import { SearchController } from './search/search.controller.js';
import { SearchModule } from './search/search.module.js';
import { SemanticSettingsModule } from './settings/semantic-settings.module.js';
import { SetsController } from './sets/sets.controller.js';
import { SetsModule } from './sets/sets.module.js';
import { TransferModule } from './transfer/transfer.module.js';

/** Answers requests; scales on them. */
@Module({})
export class ApiModule {
  static forRoot(env: SemanticServiceEnv, service: string): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        CoreModule.forRoot(env, service),
        RpcServerModule.forRoot({ queue: 'semantic', readsAtOnce: env.READS_AT_ONCE }),
        ProjectsModule,
        SetsModule,
        CategoriesModule,
        EditingModule,
        ProposalsModule,
        ConflictsModule,
        SemanticSettingsModule,
        SearchModule,
        FeatureIndexModule,
        ForgettingModule,
        TransferModule,
        IngestionApiModule,
        QuotasModule,
      ],
      controllers: [
        ProjectsController,
        SetsController,
        CategoriesController,
        EditingController,
        SearchController,
        HealthController,
      ],
    };
  }
}
