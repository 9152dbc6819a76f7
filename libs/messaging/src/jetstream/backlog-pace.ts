import { setTimeout as sleep } from 'node:timers/promises';
import { type Handled } from './batch-delivery.js';

export interface BacklogPaceOptions {
  /** Messages that are not handled yet, of all consumers that share the pace. */
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
 * batches, and makes up for it as soon as messages come more slowly. Consumers that share a pace take their fifth together,
 * one batch after the other: what one of them hands on to another is not handled beside its rest.
 */
export class BacklogPace {
  private lastPending = 0;
  private isBehind = false;
  private restUntilMs = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: BacklogPaceOptions) {}

  /**
   * Does the work of one batch: while messages come faster than they are handled, after the batches before and their rest.
   * @param mayRest false = what is late does not wait any longer
   */
  async run(work: () => Promise<Handled> | Promise<void>, mayRest = true): Promise<void> {
    if (!mayRest || !this.isBehind) return this.handle(work);
    const handled = this.last.then(() => this.rest()).then(() => this.handle(work));
    this.last = handled.catch(() => undefined);
    return handled;
  }

  private async rest(): Promise<void> {
    const { pause = sleep } = this.options;
    const restMs = this.restUntilMs - performance.now();
    if (restMs > 0) await pause(restMs);
  }

  private async handle(work: () => Promise<Handled> | Promise<void>): Promise<void> {
    const begunMs = performance.now();
    const { waitedMs = 0 } = (await work()) ?? {};
    const tookMs = performance.now() - begunMs - waitedMs;
    const pending = await this.options.pending().catch(() => 0);
    this.isBehind = pending > this.lastPending;
    this.lastPending = pending;
    this.restUntilMs = this.isBehind ? this.restAfter(tookMs) : 0;
  }

  private restAfter(tookMs: number): number {
    const now = performance.now();
    return Math.min(Math.max(this.restUntilMs, now) + tookMs * REST_FACTOR, now + MAX_REST_MS);
  }
}
