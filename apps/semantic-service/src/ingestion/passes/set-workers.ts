import { type Logger } from '@loci/platform';
import { type JobRunner } from './job-runner.js';
import { type NewClaim } from '../jobs/job.js';
import { type ClaimOptions } from '../jobs/jobs.repository.js';
import { type WorkSlots } from './work-slots.js';

export interface SetWorkersOptions {
  readonly runner: Pick<JobRunner, 'claim' | 'work'>;
  readonly slots: WorkSlots;
  /** The language model of sets that were configured with none; undefined when there is none. */
  readonly defaultModel: () => string | undefined;
  /** Language models whose providers take no requests for now. */
  readonly pausedModels: () => readonly string[];
  readonly weightOf: NonNullable<ClaimOptions['weightOf']>;
  readonly logger: Logger;
}

/** Works on due sets, as many at a time as there are slots. */
export class SetWorkers {
  private readonly working = new Set<Promise<void>>();
  private claiming: Promise<void> | undefined;
  private isWoken = false;
  private isStopping = false;

  constructor(private readonly options: SetWorkersOptions) {}

  /** Takes up what is due, as far as there is room. */
  wake(): void {
    this.isWoken = true;
    this.claiming ??= this.claimAll().finally(() => {
      this.claiming = undefined;
      if (this.isWoken && !this.isStopping) this.wake();
    });
  }

  /** As `wake`. @returns whether sets are worked on when that is done, by this process */
  async look(): Promise<boolean> {
    this.wake();
    await this.claiming;
    return this.working.size > 0;
  }

  /** Takes up nothing more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.claiming;
    await Promise.all(this.working);
  }

  /** One claim after the other, so that each knows what those before it have taken. */
  private async claimAll(): Promise<void> {
    const { runner, slots, defaultModel, pausedModels, weightOf, logger } = this.options;
    this.isWoken = false;
    try {
      while (!this.isStopping && !slots.areUsedUp) {
        const claim = await runner.claim({ ...slots.excluded(defaultModel(), pausedModels()), weightOf });
        if (!claim) return;
        this.begin(claim);
      }
    } catch (error) {
      logger.warn('due sets could not be claimed; trying again at the next look', { error });
    }
  }

  private begin(claim: NewClaim): void {
    const { runner, slots, defaultModel } = this.options;
    const giveBack = slots.take(claim.orgId, claim.llmName ?? defaultModel());
    const work = runner.work(claim).finally(() => {
      giveBack();
      this.working.delete(work);
      if (!this.isStopping) this.wake();
    });
    this.working.add(work);
  }
}
