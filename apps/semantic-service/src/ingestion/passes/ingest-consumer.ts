import { ingestSet } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerIngest } from '@loci/messaging';
import { Logger, PeriodicTask } from '@loci/platform';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SetWorkers } from './set-workers.js';

/** How often a process with room looks for itself while there is work: a message may have reached one that had none. */
const LOOK_INTERVAL_MS = 500;

/** Messages that wake once: when very many sets become due together, each alone would cost as much as the work on a set. */
const BATCH_SIZE = 64;

/** Follows the work messages: each says that something is due, and the process takes up what it has room for. */
@Injectable()
export class IngestConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looks: PeriodicTask;

  constructor(
    private readonly consumers: ConsumerRunner,
    private readonly workers: SetWorkers,
    logger: Logger,
  ) {
    this.looks = new PeriodicTask({
      name: 'take up sets that are due',
      intervalMs: LOOK_INTERVAL_MS,
      work: () => this.workers.look(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    const wake = (): Promise<void> => {
      this.workers.wake();
      this.looks.wake();
      return Promise.resolve();
    };
    this.consumers.run(semanticWorkerIngest, ingestSet, wake, { batchSize: BATCH_SIZE, maxWaitMs: 0 });
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
    await this.workers.stop();
  }
}
