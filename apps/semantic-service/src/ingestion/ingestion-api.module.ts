import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { DeadLettersModule } from './dead-letters/dead-letters.module.js';
import { IngestionDeadLettersController } from './dead-letters/ingestion-dead-letters.controller.js';
import { ModelCallsController } from './model-calls/model-calls.controller.js';
import { ModelCallsModule } from './model-calls/model-calls.module.js';
import { PreviewModule } from './preview/preview.module.js';
import { RelearningController } from './relearning/relearning.controller.js';
import { RelearningService } from './relearning/relearning.service.js';
import { IngestionStatusController } from './status/ingestion-status.controller.js';
import { StatusModule } from './status/status.module.js';
import { ModelQuotaController } from './usage/model-quota.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageModule } from './usage/usage.module.js';

/** What clients can ask about ingestion, and change of it. */
@Module({
  imports: [ProjectsModule, StatusModule, DeadLettersModule, UsageModule, PreviewModule, ModelCallsModule],
  controllers: [
    IngestionStatusController,
    IngestionDeadLettersController,
    UsageController,
    ModelQuotaController,
    ModelCallsController,
    RelearningController,
  ],
  providers: [RelearningService],
})
export class IngestionApiModule {}
