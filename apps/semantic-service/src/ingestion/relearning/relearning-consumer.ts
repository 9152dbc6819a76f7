import { relearnProject } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerRelearn } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RelearningSteps } from './relearning-steps.js';

/** Takes the steps that were ordered. */
@Injectable()
export class RelearningConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly consumers: ConsumerRunner,
    private readonly steps: RelearningSteps,
  ) {}

  onApplicationBootstrap(): void {
    this.consumers.run(semanticWorkerRelearn, relearnProject, async (messages) => {
      for (const { payload } of messages) await this.steps.step(payload);
    });
  }
}
