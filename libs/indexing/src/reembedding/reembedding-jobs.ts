import { Registry } from '@loci/registry';
import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { ReembeddingPlanner } from './reembedding-planner.js';
import { RetiredIndexVersions } from './retired-index-versions.js';
import { IndexVersionBuilder } from './index-version-builder.js';

/** Owners that are looked at by themselves; when more chose anew at once, all are looked at. */
const MAX_NAMED = 500;

/** The periodic jobs of re-embedding in the worker. Planning goes on while a long re-embedding runs. */
@Injectable()
export class ReembeddingJobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tasks: readonly PeriodicTask[];
  private readonly building: PeriodicTask;
  /** Which owners are to be looked at without delay. */
  private due: 'all' | 'some' | undefined = 'all';
  /** Owners that chose anew. */
  private named = new Set<string>();
  private nextPlanMs = 0;

  constructor(
    private readonly env: VectorServiceEnv,
    private readonly planner: ReembeddingPlanner,
    private readonly builder: IndexVersionBuilder,
    retired: RetiredIndexVersions,
    registry: Registry,
    logger: Logger,
  ) {
    const task = (name: string, work: (signal: AbortSignal) => Promise<unknown>): PeriodicTask =>
      new PeriodicTask({ name, intervalMs: env.SWEEP_INTERVAL_MS, work, logger });
    this.building = task('building of vectors by other embedders', () => builder.build());
    this.tasks = [
      task('planning of re-embedding', (signal) => this.plan(signal)),
      this.building,
      task('removal of vectors by former embedders', (signal) => retired.remove(signal)),
    ];
    // most changes are of other models, or of the status of one alone: the planner knows which concern all owners
    registry.onChange(() => this.lookSoon('some'));
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.builder.stop(), ...this.tasks.map((task) => task.stop())]);
  }

  /** These owners changed in a way that may require re-embedding. */
  planSoon(owners: readonly string[]): void {
    for (const owner of owners) this.named.add(owner);
    if (this.named.size > MAX_NAMED) this.lookSoon('all');
  }

  private lookSoon(share: 'all' | 'some'): void {
    if (this.due !== 'all') this.due = share;
  }

  private async plan(signal: AbortSignal): Promise<void> {
    const named = [...this.named];
    this.named = new Set();
    try {
      // a look at all is one at these
      if (named.length > 0 && this.due !== 'all') await this.planFor(named);
    } finally {
      await this.planShare(signal);
    }
  }

  private async planFor(owners: readonly string[]): Promise<void> {
    let isComplete = false;
    try {
      isComplete = await this.planner.planFor(owners);
    } finally {
      if (!isComplete) this.planSoon(owners);
    }
    this.building.wake();
  }

  /** Now and then without a reason too, of some: an embedder may have become ready again, or a hint got lost. */
  private async planShare(signal: AbortSignal): Promise<void> {
    if (!this.due && performance.now() < this.nextPlanMs) return;
    const share = this.due ?? 'some';
    this.due = undefined;
    this.nextPlanMs = performance.now() + this.env.RECONCILE_CHECK_INTERVAL_MS;
    try {
      const isComplete = await this.planner.plan(signal, share);
      if (!isComplete) this.nextPlanMs = 0;
    } catch (error) {
      this.lookSoon(share);
      throw error;
    }
    this.building.wake();
  }
}
