import { setsConfigured } from '@loci/contracts';
import { ReembeddingJobs } from '@loci/indexing';
import { ConsumerRunner, semanticWorkerConfigure } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Handles sets that chose other models: their re-embedding starts. */
@Injectable()
export class ConfiguredSets implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly reembeddings: ReembeddingJobs,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(semanticWorkerConfigure, setsConfigured, (messages) => {
      this.reembeddings.planSoon(messages.map(({ payload }) => payload.setUid));
      return Promise.resolve();
    });
  }
}
