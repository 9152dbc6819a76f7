import { ingestSet } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerIngest } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { JobRunner } from '../jobs/job-runner.js';

/** Follows the orders of work. The latency of the model dominates, so a process works on several sets at a time. */
@Injectable()
export class IngestConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly consumers: ConsumerRunner,
    private readonly jobs: JobRunner,
    private readonly env: SemanticServiceEnv,
  ) {}

  onApplicationBootstrap(): void {
    const concurrency = this.env.INGESTION_CONCURRENCY;
    const work = async (): Promise<void> => {
      await this.jobs.runNext();
    };
    this.consumers.run(semanticWorkerIngest, ingestSet, work, { concurrency });
  }
}
