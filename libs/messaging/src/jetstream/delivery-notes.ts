import { type Logger } from '@loci/platform';
import { type FetchedMessage } from './fetched-messages.js';
import { fingerprintOf } from './fingerprint.js';
import { messageId } from './received-message.js';
import { type Suspicion, type UnfinishedDeliveries } from './unfinished-deliveries.js';

const RETRY_MS = 1_000;

/**
 * Keeps the durable notes of one consumer true: an attempt that this process knows to have ended is not found unfinished,
 * even when the database was down at its end.
 */
export class DeliveryNotes {
  private readonly noted = new Set<string>();
  /** Attempts that ended, whose notes the database has not taken back yet. */
  private readonly ended = new Set<string>();
  /** Fingerprints of what was set aside, as far as this process knows. */
  private known: Promise<Set<string>> | undefined;
  private takingBack: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly consumer: string,
    private readonly store: UnfinishedDeliveries,
    private readonly logger: Logger,
  ) {}

  /** Whether this process was told to stop: no noted attempt begins any more. */
  get isStopping(): boolean {
    return this.isStopped;
  }

  /** Asks the database once; a message that is delivered for the first time and was never set aside costs nothing. */
  async suspects(batch: readonly FetchedMessage[]): Promise<ReadonlySet<FetchedMessage>> {
    const known = await this.setAside();
    return new Set(
      batch.filter(
        ({ message }) =>
          message.info.deliveryCount > 1 || (known.size > 0 && known.has(fingerprintOf(message))),
      ),
    );
  }

  async begin(batch: readonly FetchedMessage[]): Promise<ReadonlyMap<string, Suspicion>> {
    await this.takeBack();
    const messages = batch.map(({ message }) => ({
      id: messageId(message),
      fingerprint: fingerprintOf(message),
    }));
    for (const { id } of messages) this.noted.add(id);
    const suspicions = await this.store.begin(this.consumer, messages);
    return new Map(suspicions.map((suspicion) => [suspicion.id, suspicion]));
  }

  /** @returns how many attempts before this one have not ended */
  async beginAgain({ message }: FetchedMessage): Promise<number> {
    const id = messageId(message);
    this.noted.add(id);
    return this.store.beginAgain(this.consumer, id);
  }

  /** Handling ended in an orderly way. Never rejects. */
  async end({ message }: FetchedMessage): Promise<void> {
    const id = messageId(message);
    if (!this.noted.delete(id)) return;
    this.ended.add(id);
    await this.takeBack().catch((error: unknown) => {
      this.logger.warn('the note of a message is taken back later', { consumer: this.consumer, error });
      setTimeout(() => void this.takeBack().catch(() => undefined), RETRY_MS).unref();
    });
  }

  /** From now on a message with this content is not handled without asking the database. */
  async rememberSetAside({ message }: FetchedMessage): Promise<void> {
    (await this.setAside()).add(fingerprintOf(message));
  }

  /** What is being handled may be ended by the grace period: that is no fault of its content. Never rejects. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const id of this.noted) this.ended.add(id);
    await this.takeBack().catch((error: unknown) => {
      this.logger.warn('notes of messages could not be taken back', { consumer: this.consumer, error });
    });
  }

  private setAside(): Promise<Set<string>> {
    this.known ??= this.store.setAside(this.consumer).then(
      (fingerprints) => new Set(fingerprints),
      (error: unknown) => {
        this.known = undefined;
        throw error;
      },
    );
    return this.known;
  }

  /** Ends that come at the same time share a statement. */
  private async takeBack(): Promise<void> {
    while (this.ended.size > 0) {
      this.takingBack ??= Promise.resolve()
        .then(() => this.takeBackAll())
        .finally(() => (this.takingBack = undefined));
      await this.takingBack;
    }
  }

  private async takeBackAll(): Promise<void> {
    const ids = [...this.ended];
    await this.store.takeBack(this.consumer, ids);
    for (const id of ids) this.ended.delete(id);
  }
}
