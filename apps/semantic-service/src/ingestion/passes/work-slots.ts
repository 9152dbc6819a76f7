import { type ClaimOptions } from '../jobs/jobs.repository.js';

export interface SlotLimits {
  /** Sets that a process works on at a time. */
  readonly concurrency: number;
  /** The share of them that sets of one organization may be. */
  readonly orgShare: number;
  /** The share of them that sets of one language model may be. */
  readonly modelShare: number;
}

/** A model that has work and has ended none of it for so long is silent. */
const SILENT_MS = 20_000;

/** The share of the slots that there are beside them, while silent models hold some. */
const RESERVE = 0.25;

interface Held {
  readonly orgId: string;
  readonly model: string;
}

/**
 * What a process works on, by organization and by model. Neither gets all of it, so that one that hangs leaves room for the
 * others. Several that hang could take all of it together: while they hold slots, there are some more, for organizations and
 * models that wait for none of them.
 */
export class WorkSlots {
  private readonly held = new Set<Held>();
  /** When each model that has work last ended some, or began with it. */
  private readonly heard = new Map<string, number>();

  constructor(
    private readonly limits: SlotLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get areUsedUp(): boolean {
    const { concurrency } = this.limits;
    if (this.held.size < concurrency) return false;
    return !this.hasSilent || this.held.size >= concurrency + atLeastOne(concurrency * RESERVE);
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
    const silent =
      this.held.size < concurrency ? [] : [...this.held].filter(({ model }) => this.isSilent(model));
    const full = namesWith(atLeastOne(concurrency * modelShare), [...this.held], ({ model }) => model);
    const models = distinct([...full, ...silent.map(({ model }) => model), ...paused]);
    const orgs = namesWith(atLeastOne(concurrency * orgShare), [...this.held], ({ orgId }) => orgId);
    return {
      exceptOrgs: distinct([...orgs, ...silent.map(({ orgId }) => orgId)]),
      exceptModels: models.includes(defaultModel ?? '') ? distinct([...models, '']) : models,
    };
  }

  /** @returns gives the slot back */
  take(orgId: string, model = ''): () => void {
    const slot = { orgId, model };
    if (!this.hasWork(model)) this.heard.set(model, this.now());
    this.held.add(slot);
    return () => {
      this.held.delete(slot);
      if (this.hasWork(model)) this.heard.set(model, this.now());
      else this.heard.delete(model);
    };
  }

  private get hasSilent(): boolean {
    return [...this.heard.keys()].some((model) => this.isSilent(model));
  }

  private isSilent(model: string): boolean {
    return this.now() - (this.heard.get(model) ?? Infinity) >= SILENT_MS;
  }

  private hasWork(model: string): boolean {
    return [...this.held].some((slot) => slot.model === model);
  }
}

const atLeastOne = (slots: number): number => Math.max(1, Math.floor(slots));

/** Those that hold so many slots or more. */
function namesWith(count: number, held: readonly Held[], nameOf: (slot: Held) => string): string[] {
  const counts = new Map<string, number>();
  for (const slot of held) counts.set(nameOf(slot), (counts.get(nameOf(slot)) ?? 0) + 1);
  return [...counts].flatMap(([name, has]) => (has >= count ? [name] : []));
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];
