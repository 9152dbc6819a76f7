import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceOutcome, resourceNotFound } from '@loci/contracts';
import { inBackground, Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { RegistryRevisions } from '../revisions/registry-revisions.js';
import { retryInMs } from './probe-schedule.js';
import { ProbeClaims } from './probe-claims.js';
import { type ProbeClaim, type ResourceId } from './resource.js';
import { ReadyResources } from './ready-resources.js';
import { type ProbeResult, ResourceProber } from './resource-prober.js';
import { ResourcesRepository } from './resources.repository.js';

const MAX_AT_ONCE = 8;
const OUTCOME_POLL_MS = 50;

/** Of a probe that is not begun any more: it is given back. */
const UNASKED: ProbeResult = { ok: false, reason: 'config-service is stopping.' };

/** Probes what is pending, in the background, on whichever replica gets to it first. */
@Injectable()
export class ResourceProbes implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly running = new Set<Promise<void>>();
  private readonly unsettled = new Set<ProbeClaim>();
  private readonly stopping = new AbortController();
  /** Whether a probe is under way that no other may run beside. */
  private isAlone = false;
  private taking = Promise.resolve();
  private readonly task: PeriodicTask;

  constructor(
    private readonly env: ConfigServiceEnv,
    private readonly claims: ProbeClaims,
    private readonly resources: ResourcesRepository,
    private readonly revisions: RegistryRevisions,
    private readonly prober: ResourceProber,
    private readonly ready: ReadyResources,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'look for resources to probe',
      intervalMs: env.MODEL_PROBE_SWEEP_INTERVAL_MS,
      work: async () => {
        await this.takeDue();
        return this.running.size > 0;
      },
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.task.stop();
    await this.taking.catch(() => undefined);
    await Promise.all(this.running);
  }

  /** A probe is due within this time. */
  dueIn(ms: number): void {
    this.task.stayAwake(ms + this.env.MODEL_PROBE_TIMEOUT_MS);
  }

  /** Begins at once what is due, instead of at the next look. */
  wake(): void {
    this.dueIn(0);
    void this.takeDue().catch((error: unknown) =>
      this.logger.warn('could not look for resources to probe', { error }),
    );
  }

  /**
   * Waits until the probe is done, here or on another replica, or the time is over.
   * @throws AppError `resource_not_found`
   */
  async outcome(id: ResourceId, waitMs = this.env.MODEL_PROBE_WAIT_MS): Promise<ResourceOutcome> {
    const giveUpAt = performance.now() + waitMs;
    for (;;) {
      const resource = await this.resources.find(id);
      if (!resource) throw resourceNotFound(id.kind, id.name);
      const { status, error } = resource;
      if (status !== 'pending') return { status, error };
      if (performance.now() >= giveUpAt) return { status };
      await sleep(OUTCOME_POLL_MS);
    }
  }

  /** One after the other, so that each knows what the one before has begun. */
  private takeDue(): Promise<void> {
    const before = this.taking.catch(() => undefined);
    this.taking = inBackground(() => before.then(() => this.takeFree()));
    return this.taking;
  }

  private async takeFree(): Promise<void> {
    await this.releaseUnsettled();
    const free = this.isAlone ? 0 : MAX_AT_ONCE - this.running.size;
    if (free <= 0 || this.stopping.signal.aborted || !(await this.resources.isProbeDue())) return;
    for (const claim of await this.claims.take(free, this.running.size === 0)) {
      this.isAlone = claim.resource.unfinishedProbes > 0;
      const probe = this.carryOut(claim).finally(() => {
        this.running.delete(probe);
        this.isAlone = false;
      });
      this.running.add(probe);
    }
  }

  /** Probes that came to an end while the database did not answer: they are no unfinished ones. */
  private async releaseUnsettled(): Promise<void> {
    for (const claim of this.unsettled) {
      await this.resources.release(claim);
      this.unsettled.delete(claim);
    }
  }

  private async carryOut(claim: ProbeClaim): Promise<void> {
    try {
      const result = this.stopping.signal.aborted ? UNASKED : await this.probe(claim);
      if (this.stopping.signal.aborted) await this.resources.release(claim);
      else await this.settle(claim, result);
    } catch (error) {
      this.unsettled.add(claim);
      this.logger.warn('the outcome of a probe could not be stored', {
        resource: claim.resource.name,
        error,
      });
    }
  }

  private async probe({ resource }: ProbeClaim): Promise<ProbeResult> {
    const timeoutMs = this.env.MODEL_PROBE_TIMEOUT_MS;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([this.stopping.signal, timeout]);
    try {
      return await this.prober.probe(resource, await this.resources.list(), signal);
    } catch (error) {
      if (signal.aborted) {
        return { ok: false, reason: `The provider did not answer within ${timeoutMs / 1000} s.` };
      }
      this.logger.error('a probe failed in an unforeseen way', { resource: resource.name, error });
      return { ok: false, reason: 'The probe failed on our side; the log of config-service says why.' };
    }
  }

  private async settle(claim: ProbeClaim, result: ProbeResult): Promise<void> {
    const { resource } = claim;
    await this.revisions.change(async (tx) => {
      if (!(await this.resources.isClaimed(claim, tx))) return;
      await this.revisions.advance(tx);
      if (result.ok) {
        await this.resources.succeed(resource, tx);
        await this.resources.record(
          resource,
          { from: 'pending', to: 'ready', reason: 'The provider answered.' },
          tx,
        );
        await this.ready.tell(resource, tx);
        return;
      }
      const { reason } = result;
      const failures = resource.failures + 1;
      const pauseMs = this.pauseMs(failures);
      this.dueIn(pauseMs);
      await this.resources.fail(resource, { reason, failures, retryInMs: pauseMs }, tx);
      await this.resources.record(resource, { from: 'pending', to: 'failed', reason }, tx);
    });
  }

  private pauseMs(failures: number): number {
    return retryInMs(failures, {
      minMs: this.env.MODEL_PROBE_RETRY_MIN_MS,
      maxMs: this.env.MODEL_PROBE_RETRY_MAX_MS,
    });
  }
}
