import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { DeletionSweeper } from './deletion-sweeper.js';
import { ErasureConfirmations } from './erasure-confirmations.js';
import { ProjectHolders } from './project-holders.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { TypeormProjectsRepository } from './typeorm-projects.repository.js';

@Module({
  imports: [ConsumerModule],
  controllers: [ProjectsController],
  providers: [
    ProjectsService,
    ProjectHolders,
    ErasureConfirmations,
    DeletionSweeper,
    { provide: ProjectsRepository, useClass: TypeormProjectsRepository },
  ],
})
export class ProjectsModule {}
