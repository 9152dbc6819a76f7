import { setTimeout as sleep } from 'node:timers/promises';
import { type Handled } from './batch-delivery.js';

export interface BacklogPaceOptions {
  /** Messages that are not handled yet. */
  readonly pending: () => Promise<number>;
  /** Default: timers. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** While messages come faster than they can be handled, handling takes a fifth of the time. */
const REST_FACTOR = 4;
const MAX_REST_MS = 5_000;

/**
 * Lets those who answer requests go first. While messages come in faster than they can be handled, full speed would not keep
 * up anyway, and the requests that cause them would be slower: both need the machine and PostgreSQL. So it rests between
 * batches, and makes up for it as soon as messages come more slowly.
 */
export class BacklogPace {
  private lastPending = 0;
  private restMs = 0;

  constructor(private readonly options: BacklogPaceOptions) {}

  /**
   * Does the work of one batch, after a rest if the one before did not keep up.
   * @param mayRest false = what is late does not wait any longer
   */
  async run(work: () => Promise<Handled> | Promise<void>, mayRest = true): Promise<void> {
    const { pause = sleep } = this.options;
    if (this.restMs > 0 && mayRest) await pause(this.restMs);
    const begunMs = performance.now();
    const { waitedMs = 0 } = (await work()) ?? {};
    this.restMs = (await this.isFallingBehind()) ? restFor(performance.now() - begunMs - waitedMs) : 0;
  }

  private async isFallingBehind(): Promise<boolean> {
    const pending = await this.options.pending().catch(() => 0);
    const isBehind = pending > this.lastPending;
    this.lastPending = pending;
    return isBehind;
  }
}

const restFor = (tookMs: number): number => Math.min(tookMs * REST_FACTOR, MAX_REST_MS);
