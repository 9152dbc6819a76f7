import { Doorbell } from './doorbell.js';

/**
 * Decides whether a held message may still be settled. An acknowledgement names a message by its numbers only, and a
 * store that was wiped and filled again uses the same numbers for other messages. So after a lost connection nothing is
 * settled until it is known that the consumer on the server still lives the life in which the message was received.
 */
export class SettlementGate {
  private readonly changed = new Doorbell();
  private life: string | undefined;
  private finished = false;

  get isOpen(): boolean {
    return this.life !== undefined;
  }

  /** @param life when the consumer on the server was created */
  open(life: string): void {
    this.life = life;
    this.changed.ring();
  }

  close(): void {
    this.life = undefined;
  }

  /** Nobody will open it any more: those who wait are turned away. */
  finish(): void {
    this.finished = true;
    this.changed.ring();
  }

  /** Waits while it is closed. @returns whether messages of that life may be settled */
  async pass(life: string): Promise<boolean> {
    while (this.life === undefined && !this.finished) await this.changed.wait();
    return this.life === life;
  }
}
