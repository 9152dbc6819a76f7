import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { CategoriesModule } from '../../categories/categories.module.js';
import { ErasureModule } from '../../erasure/erasure.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { SetsModule } from '../../sets/sets.module.js';
import { BacklogModule } from '../backlog/backlog.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { EpisodeIntake } from './episode-intake.js';
import { FoundEpisodes } from './found-episodes.js';
import { IntakeConsumer } from './intake-consumer.js';
import { IntakeService } from './intake.service.js';
import { LearningSets } from './learning-sets.js';
import { RefusedSetRetry } from './refused-set-retry.js';

/** Puts each added episode into the backlog of the sets that it belongs to. */
@Module({
  imports: [
    CategoriesModule,
    ConsumerModule,
    ErasureModule,
    ProjectsModule,
    SetsModule,
    BacklogModule,
    SettingsModule,
  ],
  providers: [LearningSets, IntakeService, EpisodeIntake, FoundEpisodes, IntakeConsumer, RefusedSetRetry],
  exports: [EpisodeIntake, FoundEpisodes, IntakeService, LearningSets],
})
export class IntakeModule {}
