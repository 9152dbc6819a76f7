import { apiKeysChanged } from '@loci/contracts';
import { MessagePublisher } from '@loci/messaging';
import { Outbox, type Transaction } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';

/** So many are announced at the same time. */
const ANNOUNCED_AT_ONCE = 16;

/** Tells every gateway which keys have changed. */
@Injectable()
export class KeyChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly publisher: MessagePublisher,
    private readonly logger: Logger,
  ) {}

  /** Notes the change in the transaction that makes it. */
  note(id: string, tx: Transaction): Promise<void> {
    return this.noteAll([id], tx);
  }

  /** As `note`, any number of keys in one statement. */
  noteAll(ids: readonly string[], tx: Transaction): Promise<void> {
    const changes = ids.map((id) => ({ id }));
    return this.outbox.appendAll(tx, apiKeysChanged, changes);
  }

  /**
   * After the commit: at once, because the outbox may wait for other messages that cannot be stored at the moment; and
   * through the outbox, because this process may end before the message is out.
   */
  announce(id: string): void {
    this.announceAll([id]);
  }

  /** As `announce`. When that fails, the outbox alone announces the others, too. */
  announceAll(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.outbox.wake();
    const left = ids.values();
    for (let one = 0; one < Math.min(ids.length, ANNOUNCED_AT_ONCE); one += 1) {
      this.publish(left).catch((error: unknown) => {
        this.logger.warn('a changed key is announced by the outbox alone', { error });
      });
    }
  }

  private async publish(left: Iterable<string>): Promise<void> {
    for (const id of left) {
      await this.publisher.publish(apiKeysChanged, { id }, { id: uuidv7(), headers: {} });
    }
  }
}
