import { type JsMsg } from '@nats-io/jetstream';
import { Doorbell } from './doorbell.js';

/** A message that was fetched, and that the server expects us to settle. */
export interface FetchedMessage {
  readonly message: JsMsg;
  /** When the consumer that delivered it was created on the server: a consumer made again has another value. */
  readonly consumerCreatedAt: string;
}

/** Messages that were fetched: those that wait for a free worker, and those that are being handled. */
export class FetchedMessages {
  private readonly waiting: FetchedMessage[] = [];
  private readonly all = new Set<FetchedMessage>();
  private closed = false;

  /** Rings when messages come or go. */
  readonly changed = new Doorbell();

  get size(): number {
    return this.all.size;
  }

  add(fetched: FetchedMessage): void {
    this.all.add(fetched);
    this.waiting.push(fetched);
    this.changed.ring();
  }

  /**
   * Waits for messages and takes up to `size` of them, oldest first.
   * @param lingerMs how long a batch that is not full waits for more
   * @param notBeforeMs when such a batch is handed out at the earliest, by the clock of `performance.now()`
   * @returns undefined once closed
   */
  async take(size: number, lingerMs: number, notBeforeMs = -Infinity): Promise<FetchedMessage[] | undefined> {
    for (;;) {
      while (this.waiting.length === 0 && !this.closed) await this.changed.wait();
      const fullBy = Math.max(performance.now() + lingerMs, notBeforeMs);
      while (this.waiting.length < size && !this.closed) {
        const leftMs = fullBy - performance.now();
        if (leftMs <= 0) break;
        await this.changed.wait(leftMs);
      }
      if (this.closed) return undefined;
      const batch = this.waiting.splice(0, size);
      if (batch.length > 0) return batch;
    }
  }

  /** It was settled, or is not ours any more. */
  release(fetched: FetchedMessage): void {
    this.all.delete(fetched);
    this.changed.ring();
  }

  /** Forgets those that wait and come from a consumer created at another time: they will be delivered again. */
  dropWaitingNotOf(consumerCreatedAt: string): void {
    const stale = this.waiting.filter((fetched) => fetched.consumerCreatedAt !== consumerCreatedAt);
    for (const fetched of stale) {
      this.waiting.splice(this.waiting.indexOf(fetched), 1);
      this.release(fetched);
    }
  }

  /** Hands out no more batches. */
  close(): void {
    this.closed = true;
    this.changed.ring();
  }

  /** Those that were not taken, to be given back once nothing is added any more. */
  untouched(): readonly FetchedMessage[] {
    return this.waiting.splice(0);
  }

  [Symbol.iterator](): IterableIterator<FetchedMessage> {
    return this.all.values();
  }
}
