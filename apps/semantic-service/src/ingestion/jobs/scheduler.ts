import { ConsumerRunner, semanticWorkerIngest } from '@loci/messaging';
import { Outbox, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { IngestionSwitch } from '../settings/ingestion-switch.js';
import { ReadyModels } from '../settings/ready-models.js';
import { TriggersSource } from '../settings/triggers-source.js';
import { enqueueSets } from './enqueue-sets.js';
import { JobsRepository } from './jobs.repository.js';

/** Sets that one look makes due; the next look goes on. */
const LIMIT = 500;

/** A work message that was not received for so long, while none waits in the queue, was lost with it. */
const LOST_AFTER_MS = 5_000;

/** How often the queue is asked whether it is empty: messages are seldom lost, and every replica asks. */
const ASK_INTERVAL_MS = 2_000;

/** How often queues that have nothing due are removed, of how many organizations: claims pass over them until then. */
const REMOVAL_INTERVAL_MS = 2_000;
const REMOVAL_LIMIT = 200;

/** Finds what is due by the clock. Any number of replicas may look: none depends on another being alive. */
@Injectable()
export class Scheduler {
  private nextAskMs = 0;
  private nextRemovalMs = 0;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly triggers: TriggersSource,
    private readonly ingestion: IngestionSwitch,
    private readonly models: ReadyModels,
    @Inject(ConsumerRunner) private readonly runner: Pick<ConsumerRunner, 'pending'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @param underWay sets that this process works on
   * @returns how many sets became due; none while ingestion is switched off
   */
  async look(underWay: readonly string[] = []): Promise<number> {
    if (!this.ingestion.isOn) return 0;
    await this.removeIdleQueues();
    const triggers = this.triggers.current();
    const lostAfterMs = (await this.isQueueEmpty()) ? LOST_AFTER_MS : undefined;
    const schedule = { triggers, readyModels: this.models.names, lostAfterMs, underWay, limit: LIMIT };
    if (!(await this.jobs.isAnyRipe(schedule))) return 0;
    const due = await this.unitOfWork.run(
      async (tx) => {
        const sets = await this.jobs.schedule(schedule, tx);
        await enqueueSets(this.outbox, sets, tx);
        return sets.length;
      },
      { scope: ROWS_OF_ALL },
    );
    if (due > 0) this.outbox.wake();
    return due;
  }

  private async removeIdleQueues(): Promise<void> {
    if (performance.now() < this.nextRemovalMs) return;
    this.nextRemovalMs = performance.now() + REMOVAL_INTERVAL_MS;
    await this.jobs.removeIdleQueues(REMOVAL_LIMIT);
  }

  /** @returns false also when it is not asked */
  private async isQueueEmpty(): Promise<boolean> {
    if (performance.now() < this.nextAskMs) return false;
    this.nextAskMs = performance.now() + ASK_INTERVAL_MS;
    return (await this.runner.pending(semanticWorkerIngest)) === 0;
  }
}
