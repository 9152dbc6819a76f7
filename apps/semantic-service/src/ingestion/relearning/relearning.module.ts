import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { FeaturesModule } from '../../features/features.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { RelearningConsumer } from './relearning-consumer.js';
import { RelearningSteps } from './relearning-steps.js';

/** Messages that are learned again: the worker's part. */
@Module({
  imports: [ConsumerModule, FeaturesModule, IntakeModule, ProjectsModule],
  providers: [RelearningSteps, RelearningConsumer],
})
export class RelearningModule {}
