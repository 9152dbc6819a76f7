import { setTimeout as sleep } from 'node:timers/promises';

export interface IndexPaceOptions {
  /** Messages that are waiting to be indexed. */
  readonly pending: () => Promise<number>;
  /** Default: timers. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** While episodes come faster than they can be indexed, indexing takes a fifth of the time. */
const REST_FACTOR = 4;
const MAX_REST_MS = 5_000;

/**
 * Lets acknowledgements go first. While episodes come in faster than they can be indexed, indexing them at full speed
 * would not keep up anyway, and would slow down the adds by what it takes from the machine and from PostgreSQL; so it
 * rests between batches, and makes up for it as soon as they come more slowly. Searches cover what waits.
 */
export class IndexPace {
  private lastPending = 0;
  private restMs = 0;

  constructor(private readonly options: IndexPaceOptions) {}

  /** Does the work of one batch, after a rest if the one before did not keep up. */
  async run(work: () => Promise<void>): Promise<void> {
    const { pause = sleep } = this.options;
    if (this.restMs > 0) await pause(this.restMs);
    const begunMs = performance.now();
    await work();
    this.restMs = (await this.isFallingBehind()) ? this.restFor(performance.now() - begunMs) : 0;
  }

  private async isFallingBehind(): Promise<boolean> {
    const pending = await this.options.pending().catch(() => 0);
    const isBehind = pending > this.lastPending;
    this.lastPending = pending;
    return isBehind;
  }

  private restFor(tookMs: number): number {
    return Math.min(tookMs * REST_FACTOR, MAX_REST_MS);
  }
}
