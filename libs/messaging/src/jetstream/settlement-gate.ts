import { Doorbell } from './doorbell.js';

/**
 * Decides whether a fetched message may still be settled. An acknowledgement names a message by its numbers only, and a
 * store that was wiped and filled again uses the same numbers for other messages. So after a lost connection nothing is
 * settled until it is known that the consumer on the server is still the one that delivered the message.
 */
export class SettlementGate {
  private readonly changed = new Doorbell();
  private consumerCreatedAt: string | undefined;
  private finished = false;

  get isOpen(): boolean {
    return this.consumerCreatedAt !== undefined;
  }

  /** @param consumerCreatedAt when the consumer on the server was created */
  open(consumerCreatedAt: string): void {
    this.consumerCreatedAt = consumerCreatedAt;
    this.changed.ring();
  }

  close(): void {
    this.consumerCreatedAt = undefined;
  }

  /** It will not be opened again: callers that wait are refused. */
  finish(): void {
    this.finished = true;
    this.changed.ring();
  }

  /** Waits while it is closed. @returns whether messages of the consumer created then may be settled */
  async pass(consumerCreatedAt: string): Promise<boolean> {
    while (this.consumerCreatedAt === undefined && !this.finished) await this.changed.wait();
    return this.consumerCreatedAt === consumerCreatedAt;
  }
}
