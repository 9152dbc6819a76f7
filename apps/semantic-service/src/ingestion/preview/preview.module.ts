import { Module } from '@nestjs/common';
import { CategoriesModule } from '../../categories/categories.module.js';
import { FeaturesModule } from '../../features/features.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { SetsModule } from '../../sets/sets.module.js';
import { ExtractionModule } from '../extraction/extraction.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { PreviewTurns } from './preview-turns.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';
import { PromptTrials } from './prompt-trials.js';

/** Tries prompts. */
@Module({
  imports: [
    ProjectsModule,
    SetsModule,
    CategoriesModule,
    FeaturesModule,
    ExtractionModule,
    SettingsModule,
    UsageModule,
  ],
  controllers: [PreviewController],
  providers: [PreviewService, PreviewTurns, PromptTrials],
})
export class PreviewModule {}
