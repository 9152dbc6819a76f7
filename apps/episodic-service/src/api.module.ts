import { RpcServerModule } from '@loci/messaging';
import { type DynamicModule, Module } from '@nestjs/common';
import { AddingController } from './adding/adding.controller.js';
import { CoreModule } from './core.module.js';
import { DeletionsModule } from './deletions/deletions.module.js';
import { type EpisodicServiceEnv } from './env.js';
import { EpisodesController } from './episodes/episodes.controller.js';
import { EpisodesModule } from './episodes/episodes.module.js';
import { HealthController } from './health/health.controller.js';
import { ProjectIndexModule } from './project-index/project-index.module.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsModule } from './projects/projects.module.js';
import { SearchModule } from './search/search.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { TransferModule } from './transfer/transfer.module.js';

/** Answers requests; scales on them. */
@Module({})
export class ApiModule {
  static forRoot(env: EpisodicServiceEnv, service: string): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        CoreModule.forRoot(env, service),
        RpcServerModule.forRoot({ queue: 'episodic', readsAtOnce: env.READS_AT_ONCE }),
        ProjectsModule,
        EpisodesModule,
        DeletionsModule,
        SearchModule,
        SettingsModule,
        ProjectIndexModule,
        TransferModule,
      ],
      controllers: [ProjectsController, AddingController, EpisodesController, HealthController],
    };
  }
}
