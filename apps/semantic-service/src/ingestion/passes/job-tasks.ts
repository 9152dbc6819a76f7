import { modelResumed, type ResourceReference } from '@loci/contracts';
import { Signals } from '@loci/messaging';
import { Logger, PeriodicTask, SLOWEST } from '@loci/platform';
import { Registry } from '@loci/registry';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { IngestionModels } from '../extraction/ingestion-models.js';
import { IntakeService } from '../intake/intake.service.js';
import { IngestionSwitch } from '../settings/ingestion-switch.js';
import { TriggersSource } from '../settings/triggers-source.js';
import { JobRunner } from './job-runner.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { Scheduler } from '../jobs/scheduler.js';

/** The age of a message counts to within two seconds. */
const LOOK_INTERVAL_MS = 1_000;

/** Looks that have slowed down are no further apart than this. */
const SOON_MS = (SLOWEST + 1) * LOOK_INTERVAL_MS;

/**
 * The periodic job of the worker: what is due by the clock, and what may go on because the registry has changed, or a model is
 * tried again.
 */
@Injectable()
export class JobTasks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: PeriodicTask;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly runner: JobRunner,
    private readonly registry: Registry,
    private readonly models: IngestionModels,
    private readonly signals: Signals,
    private readonly logger: Logger,
    private readonly intake: IntakeService,
    private readonly ingestion: IngestionSwitch,
    private readonly triggers: TriggersSource,
    scheduler: Scheduler,
  ) {
    this.rounds = new PeriodicTask({
      name: 'look for sets that are due',
      intervalMs: LOOK_INTERVAL_MS,
      work: async () => (await scheduler.look(runner.underWay)) > 0 || (await this.isDueSoon()),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.stopListening = this.registry.onChange(() => {
      this.rounds.wake();
      void this.unblock();
    });
    this.signals.hear(modelResumed, (model) => void this.resume(model));
    this.intake.onTaken(() => this.rounds.wake());
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopListening?.();
    await this.rounds.stop();
    try {
      await this.runner.stop();
    } catch (error) {
      this.logger.warn('passes that are under way count as unfinished', { error });
    }
  }

  /** While ingestion is switched off, nothing is. */
  private async isDueSoon(): Promise<boolean> {
    return this.ingestion.isOn && this.jobs.isAnyDueSoon(this.triggers.current(), SOON_MS);
  }

  private async resume({ kind, name }: ResourceReference): Promise<void> {
    if (kind !== 'language_model') return;
    try {
      await this.jobs.resume(name === this.models.defaultName ? [name, ''] : [name]);
      this.rounds.wake();
    } catch (error) {
      this.logger.warn('sets of a model that is tried again go on only after their pauses', { error });
    }
  }

  private async unblock(): Promise<void> {
    try {
      await this.jobs.unblock();
    } catch (error) {
      this.logger.warn('blocked sets go on only after their pause', { error });
    }
  }
}
