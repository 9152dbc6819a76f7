import { episodesAdded, type ProjectReference, updateSummary } from '@loci/contracts';
import { ConsumerRunner, episodicWorkerOverflow, episodicWorkerSummarize } from '@loci/messaging';
import { Outbox, type Transaction } from '@loci/persistence';
import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { groupByProject } from '../indexing/index-consumers.js';
import { MemorySettings } from '../memory/memory-settings.js';
import { SummariesRepository } from './summaries.repository.js';
import { SummaryUpdater } from './summary-updater.js';

const BATCH_SIZE = 64;

/** Projects enqueued again in one sweep. */
const SWEEP_LIMIT = 100;

/** Follows new episodes, enqueues updates of the summaries, and does them. */
@Injectable()
export class SummaryConsumers implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweep: PeriodicTask;

  constructor(
    private readonly env: EpisodicServiceEnv,
    private readonly runner: ConsumerRunner,
    private readonly memory: MemorySettings,
    private readonly summaries: SummariesRepository,
    private readonly updater: SummaryUpdater,
    private readonly outbox: Outbox,
    logger: Logger,
  ) {
    this.sweep = new PeriodicTask({
      name: 'sweep of overdue summaries',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: () => this.enqueueOverdue(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    const options = { batchSize: BATCH_SIZE };
    this.runner.run(
      episodicWorkerOverflow,
      episodesAdded,
      async (messages) => {
        if (!this.isWanted) return;
        const references = messages.map(({ payload }) => payload);
        const projects = new Map(references.map((reference) => [reference.projectUid, reference.tenant]));
        for (const [projectUid, uids] of groupByProject(references)) {
          const tenant = projects.get(projectUid);
          if (tenant) await this.summaries.want({ tenant, projectUid }, [...uids], this.enqueue);
        }
        this.outbox.wake();
      },
      options,
    );
    this.runner.run(episodicWorkerSummarize, updateSummary, async (messages) => {
      for (const { payload } of messages) await this.updater.update(payload);
    });
    this.sweep.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.updater.stop();
    await this.sweep.stop();
  }

  private get isWanted(): boolean {
    return this.memory.isShortTermEnabled && this.memory.summaryModel !== undefined;
  }

  private async enqueueOverdue(): Promise<void> {
    if (!this.isWanted) return;
    await this.summaries.enqueueOverdue(this.env.SWEEP_PATIENCE_MS, SWEEP_LIMIT, this.enqueue);
    this.outbox.wake();
  }

  private readonly enqueue = (tx: Transaction, project: ProjectReference): Promise<void> =>
    this.outbox.append(tx, updateSummary, project);
}
