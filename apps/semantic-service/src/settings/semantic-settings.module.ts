import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { KeptCallsRepository } from './kept-calls.repository.js';
import { SemanticSettingsController } from './semantic-settings.controller.js';
import { SemanticSettingsService } from './semantic-settings.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [SemanticSettingsController],
  providers: [SemanticSettingsService, KeptCallsRepository],
})
export class SemanticSettingsModule {}
