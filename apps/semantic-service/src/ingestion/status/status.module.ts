import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { IngestionStatusRepository } from './ingestion-status.repository.js';
import { IngestionStatusService } from './ingestion-status.service.js';

/** How far the ingestion of each set is, and what it waits for. */
@Module({
  imports: [ProjectsModule, SettingsModule],
  providers: [IngestionStatusService, IngestionStatusRepository],
  exports: [IngestionStatusService],
})
export class StatusModule {}
