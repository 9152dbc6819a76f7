import { type JsMsg } from '@nats-io/jetstream';
import { Doorbell } from './doorbell.js';

/** A message that the server gave to us and waits to hear about. */
export interface HeldMessage {
  readonly message: JsMsg;
  /** The life of the consumer in which it was received. */
  readonly life: string;
}

/** Messages that were fetched: those that wait for a free hand, and those that are being handled. */
export class HeldMessages {
  private readonly waiting: HeldMessage[] = [];
  private readonly all = new Set<HeldMessage>();
  private closed = false;

  /** Rings when messages come or go. */
  readonly changed = new Doorbell();

  get size(): number {
    return this.all.size;
  }

  add(held: HeldMessage): void {
    this.all.add(held);
    this.waiting.push(held);
    this.changed.ring();
  }

  /**
   * Waits for messages and takes up to `size` of them, in the order in which they came.
   * @param lingerMs how long a batch that is not full waits for more
   * @returns undefined once closed
   */
  async take(size: number, lingerMs: number): Promise<HeldMessage[] | undefined> {
    for (;;) {
      while (this.waiting.length === 0 && !this.closed) await this.changed.wait();
      const fullBy = Date.now() + lingerMs;
      for (let leftMs = lingerMs; leftMs > 0 && this.waiting.length < size && !this.closed;) {
        await this.changed.wait(leftMs);
        leftMs = fullBy - Date.now();
      }
      if (this.closed) return undefined;
      const batch = this.waiting.splice(0, size);
      if (batch.length > 0) return batch;
    }
  }

  /** It was settled, or is not ours any more. */
  release(held: HeldMessage): void {
    this.all.delete(held);
    this.changed.ring();
  }

  /** Forgets those that wait and belong to another life: they will be delivered again. */
  dropWaitingNotOf(life: string): void {
    const stale = this.waiting.filter((held) => held.life !== life);
    for (const held of stale) {
      this.waiting.splice(this.waiting.indexOf(held), 1);
      this.release(held);
    }
  }

  /** Hands out no more batches. */
  close(): void {
    this.closed = true;
    this.changed.ring();
  }

  /** Those that nobody took, to be given back once nothing is added any more. */
  untouched(): readonly HeldMessage[] {
    return this.waiting.splice(0);
  }

  [Symbol.iterator](): IterableIterator<HeldMessage> {
    return this.all.values();
  }
}
