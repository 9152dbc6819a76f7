import { setTimeout as sleep } from 'node:timers/promises';
import { type Handled } from './batch-delivery.js';

export interface BacklogPaceOptions {
  /** How much is not handled yet, of all consumers that share the pace. */
  readonly pending: () => Promise<number>;
  /** Default: timers. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

const sleepUnlessStopped = (ms: number, signal?: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, signal && { signal }).catch(() => undefined);

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
   * @param mostMs how long it waits for them at most
   */
  async run(work: () => Promise<Handled> | Promise<void>, mostMs = Infinity): Promise<void> {
    if (mostMs <= 0 || !this.isBehind) return this.handle(work);
    const handled = this.turn(mostMs).then(() => this.handle(work));
    // one that has waited for long enough begins beside the one before
    this.last = Promise.allSettled([this.last, handled]);
    return handled;
  }

  private async turn(mostMs: number): Promise<void> {
    const stop = new AbortController();
    const rested = this.last.then(() => this.pause(this.restUntilMs - performance.now(), stop.signal));
    if (mostMs === Infinity) return rested;
    await Promise.race([rested, this.pause(mostMs, stop.signal)]).finally(() => stop.abort());
  }

  private async pause(ms: number, signal?: AbortSignal): Promise<void> {
    const { pause = sleepUnlessStopped } = this.options;
    if (ms > 0) await pause(ms, signal);
  }

  private async handle(work: () => Promise<Handled> | Promise<void>): Promise<void> {
    const begunMs = performance.now();
    let waitedMs = 0;
    try {
      ({ waitedMs } = (await work()) ?? { waitedMs });
    } finally {
      await this.note(performance.now() - begunMs - waitedMs);
    }
  }

  private async note(tookMs: number): Promise<void> {
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
