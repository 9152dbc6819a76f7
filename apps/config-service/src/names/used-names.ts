import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { fillSkeletons } from './fill-skeletons.js';
import { noteUsedNames } from './note-names.js';
import { type RunStep } from './run-step.js';

/** After a failure it is tried again. */
const INTERVAL_MS = 5_000;

/** Notes once, after each start, the names that processes of the version before have used without noting them. */
@Injectable()
export class UsedNames implements OnApplicationBootstrap, OnModuleDestroy {
  private isDone = false;
  private readonly task: PeriodicTask;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'noting of names that are used',
      intervalMs: INTERVAL_MS,
      work: (signal) => this.noteOnce(signal),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** All of them, a few in each transaction. */
  async note(signal?: AbortSignal): Promise<void> {
    const run: RunStep = (step) => this.unitOfWork.single(step, ROWS_OF_ALL);
    await fillSkeletons(run, signal);
    await noteUsedNames(run, signal);
  }

  /** @returns whether there is more to do */
  private async noteOnce(signal: AbortSignal): Promise<boolean> {
    if (!this.isDone) await this.note(signal);
    this.isDone = true;
    return false;
  }
}
