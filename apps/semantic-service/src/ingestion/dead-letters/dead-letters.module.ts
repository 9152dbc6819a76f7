import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { IngestionDeadLettersRepository } from './ingestion-dead-letters.repository.js';
import { IngestionDeadLettersService } from './ingestion-dead-letters.service.js';

/** Messages and commands that ingestion gave up: listed, replayed, dropped. */
@Module({
  imports: [ProjectsModule],
  providers: [IngestionDeadLettersService, IngestionDeadLettersRepository],
  exports: [IngestionDeadLettersService],
})
export class DeadLettersModule {}
