import { type ClaimOptions } from '../jobs/jobs.repository.js';

export interface SlotLimits {
  /** Sets that a process works on at a time. */
  readonly concurrency: number;
  /** The share of them that sets of one organization may be. */
  readonly orgShare: number;
  /** The share of them that sets of one language model may be. */
  readonly modelShare: number;
}

/**
 * What a process works on, counted by organization and by model. Neither gets all of it, so that one that hangs leaves
 * room for the others.
 */
export class WorkSlots {
  private used = 0;
  private readonly orgs = new Counts();
  private readonly models = new Counts();

  constructor(private readonly limits: SlotLimits) {}

  get areUsedUp(): boolean {
    return this.used >= this.limits.concurrency;
  }

  /**
   * What may not be taken now.
   * @param defaultModel that of sets that were configured with none
   * @param paused models that take no requests for now: a set that waits for one holds no slot
   */
  excluded(
    defaultModel: string | undefined,
    paused: readonly string[] = [],
  ): Pick<ClaimOptions, 'exceptOrgs' | 'exceptModels'> {
    const { concurrency, orgShare, modelShare } = this.limits;
    const full = [...this.models.from(atLeastOne(concurrency * modelShare)), ...paused];
    return {
      exceptOrgs: this.orgs.from(atLeastOne(concurrency * orgShare)),
      exceptModels: full.includes(defaultModel ?? '') ? [...full, ''] : full,
    };
  }

  /** @returns gives the slot back */
  take(orgId: string, model: string | undefined): () => void {
    this.used += 1;
    this.orgs.add(orgId, 1);
    this.models.add(model ?? '', 1);
    return () => {
      this.used -= 1;
      this.orgs.add(orgId, -1);
      this.models.add(model ?? '', -1);
    };
  }
}

const atLeastOne = (slots: number): number => Math.max(1, Math.floor(slots));

class Counts {
  private readonly counts = new Map<string, number>();

  add(name: string, change: number): void {
    const count = (this.counts.get(name) ?? 0) + change;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
  }

  /** Those with so many or more. */
  from(count: number): string[] {
    return [...this.counts].flatMap(([name, has]) => (has >= count ? [name] : []));
  }
}
