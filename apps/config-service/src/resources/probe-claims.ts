import { type Transaction } from '@loci/persistence';
import { Logger, MAX_UNFINISHED } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { RegistryRevisions } from '../revisions/registry-revisions.js';
import { type ProbeClaim, type Resource } from './resource.js';
import { ResourcesRepository } from './resources.repository.js';

/** A probe that is not settled within the lease ended with its process: another replica takes it up. */
const LEASE_MARGIN_MS = 5_000;

const SET_ASIDE =
  `The process that probed it ended in the middle of the probe, ${MAX_UNFINISHED} times in a row, ` +
  'so it is not probed again by itself; the log of config-service says why. Correct it, or ask for a retry.';

/** Decides which probes begin. */
@Injectable()
export class ProbeClaims {
  private readonly leaseMs: number;

  constructor(
    env: ConfigServiceEnv,
    private readonly resources: ResourcesRepository,
    private readonly revisions: RegistryRevisions,
    private readonly logger: Logger,
  ) {
    this.leaseMs = env.MODEL_PROBE_TIMEOUT_MS + LEASE_MARGIN_MS;
  }

  /**
   * Takes up to `limit` probes that are due. A resource whose last probe was unfinished is probed with no other beside
   * it, so that what ends the process is the only one to be counted; while it waits for that, no other probe begins.
   * @param isIdle whether this process has no probe under way
   */
  take(limit: number, isIdle: boolean): Promise<ProbeClaim[]> {
    return this.revisions.change(async (tx) => {
      await this.endUnfinished(tx);
      const due = await this.resources.due(limit, tx);
      const [first] = due;
      const isSuspect = first !== undefined && first.unfinishedProbes > 0;
      const chosen = isSuspect ? (isIdle ? [first] : []) : due;
      return this.begin(chosen, tx);
    });
  }

  private async begin(chosen: readonly Resource[], tx: Transaction): Promise<ProbeClaim[]> {
    const claims: ProbeClaim[] = [];
    for (const resource of chosen) claims.push(await this.resources.claimProbe(resource, this.leaseMs, tx));
    const again = chosen.filter(({ status }) => status === 'failed');
    for (const resource of again) {
      const reason = `Automatic retry ${resource.failures}.`;
      await this.resources.record(resource, { from: 'failed', to: 'pending', reason }, tx);
    }
    if (again.length > 0) await this.revisions.advance(tx);
    return claims;
  }

  private async endUnfinished(tx: Transaction): Promise<void> {
    const interrupted = await this.resources.endUnfinished(tx);
    for (const resource of interrupted) {
      const { kind, name, unfinishedProbes: count } = resource;
      this.logger.warn('a probe ended with its process', { kind, name, count });
      if (count >= MAX_UNFINISHED) await this.setAside(resource, tx);
    }
  }

  private async setAside(resource: Resource, tx: Transaction): Promise<void> {
    await this.revisions.advance(tx);
    await this.resources.fail(resource, { reason: SET_ASIDE, failures: resource.failures }, tx);
    await this.resources.record(resource, { from: resource.status, to: 'failed', reason: SET_ASIDE }, tx);
  }
}
