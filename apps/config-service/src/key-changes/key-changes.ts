import { apiKeysChanged } from '@loci/contracts';
import { MessagePublisher } from '@loci/messaging';
import { Outbox, type Transaction } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';

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
    return this.outbox.append(tx, apiKeysChanged, { id });
  }

  /**
   * After the commit: at once, because the outbox may wait for other messages that cannot be stored at the moment; and
   * through the outbox, because this process may end before the message is out.
   */
  announce(id: string): void {
    this.outbox.wake();
    this.publisher.publish(apiKeysChanged, { id }, { id: uuidv7(), headers: {} }).catch((error: unknown) => {
      this.logger.warn('a changed key is announced by the outbox alone', { error });
    });
  }
}
