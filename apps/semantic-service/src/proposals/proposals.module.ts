import { Module } from '@nestjs/common';
import { FeaturesModule } from '../features/features.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SetsModule } from '../sets/sets.module.js';
import { ProposalsController } from './proposals.controller.js';
import { ProposalsStoreModule } from './proposals-store.module.js';
import { ProposalsService } from './proposals.service.js';

/** What clients can do about proposals. */
@Module({
  imports: [ProjectsModule, SetsModule, FeaturesModule, ProposalsStoreModule],
  controllers: [ProposalsController],
  providers: [ProposalsService],
})
export class ProposalsModule {}
