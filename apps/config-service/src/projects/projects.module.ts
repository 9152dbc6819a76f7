import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { KeyChangesModule } from '../key-changes/key-changes.module.js';
import { MemoryConfigurationModule } from '../memory-configuration/memory-configuration.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { BoundProjects } from './bound-projects.js';
import { DeletionSweeper } from './deletion-sweeper.js';
import { ErasureConfirmations } from './erasure-confirmations.js';
import { ProjectConfigs } from './project-configs.js';
import { ProjectHolders } from './project-holders.js';
import { ProjectResourceUsers } from './project-resource-users.js';
import { ProjectsController } from './projects.controller.js';
import { LookAlikeNamesModule } from '../names/look-alike-names.module.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { SemanticResourceUsers } from './semantic-resource-users.js';

@Module({
  imports: [
    ConsumerModule,
    ResourcesModule,
    MemoryConfigurationModule,
    QuotasModule,
    KeyChangesModule,
    LookAlikeNamesModule,
  ],
  controllers: [ProjectsController],
  providers: [
    ProjectsService,
    ProjectConfigs,
    ProjectResourceUsers,
    SemanticResourceUsers,
    BoundProjects,
    ProjectHolders,
    ErasureConfirmations,
    DeletionSweeper,
    ProjectsRepository,
  ],
  exports: [LookAlikeNamesModule, BoundProjects, ProjectsService],
})
export class ProjectsModule {}
