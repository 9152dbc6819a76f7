import { Module } from '@nestjs/common';
import { IngestionDeadLettersController } from './dead-letters/ingestion-dead-letters.controller.js';
import { IngestionDeadLettersRepository } from './dead-letters/ingestion-dead-letters.repository.js';
import { IngestionDeadLettersService } from './dead-letters/ingestion-dead-letters.service.js';
import { IngestionStatusController } from './status/ingestion-status.controller.js';
import { IngestionStatusRepository } from './status/ingestion-status.repository.js';
import { IngestionStatusService } from './status/ingestion-status.service.js';
import { IngestionSwitch, RegistrySwitch } from './intake/ingestion-switch.js';
import { RegistryTriggers, TriggersSource } from './intake/triggers-source.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { UsageRepository } from './usage/usage.repository.js';
import { UsageController } from './usage/usage.controller.js';

/** What can be asked, and done, about ingestion from outside. */
@Module({
  imports: [ProjectsModule],
  controllers: [IngestionStatusController, IngestionDeadLettersController, UsageController],
  providers: [
    IngestionStatusService,
    IngestionDeadLettersService,
    IngestionStatusRepository,
    IngestionDeadLettersRepository,
    UsageRepository,
    { provide: TriggersSource, useClass: RegistryTriggers },
    { provide: IngestionSwitch, useClass: RegistrySwitch },
  ],
})
export class IngestionApiModule {}
