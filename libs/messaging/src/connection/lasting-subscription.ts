import { type Logger } from '@loci/platform';
import { type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';

/** News of a key that ended may be missed for as long as this while the server does not permit hearing them. */
const RENEW_MS = 1_000;

export interface SubscriptionOptions {
  /** Of all who subscribe with the same name, one gets each message. */
  readonly queue?: string;
  readonly onMessage: (message: Msg) => void;
  /** The server did not permit it, at this try or until now: messages may have been missed. */
  readonly onMissed?: () => void;
}

export interface SubscriptionParts {
  readonly connection: NatsConnection;
  readonly logger: Logger;
  /** Those that the server has never permitted: it puts itself in and out. */
  readonly refused: Set<LastingSubscription>;
}

/**
 * A subscription that is asked for again while the server does not permit it. The driver gives such a one up for good, also
 * when it reconnects: a process whose version hears something new would stay deaf when the server learns of that later.
 */
export class LastingSubscription {
  private current: Subscription;
  private timer: NodeJS.Timeout | undefined;
  private isRefused = false;
  private wasPermitted = false;
  private isOver = false;

  constructor(
    private readonly subject: string,
    private readonly options: SubscriptionOptions,
    private readonly parts: SubscriptionParts,
  ) {
    this.current = this.open();
    // a refusal comes before the answer to this
    void this.parts.connection.flush().then(
      () => (this.wasPermitted ||= !this.current.isClosed()),
      () => undefined,
    );
  }

  /** Hears no more; resolves when the server knows. */
  async drain(): Promise<void> {
    this.end();
    if (!this.current.isClosed()) await this.current.drain();
  }

  unsubscribe(): void {
    this.end();
    this.current.unsubscribe();
  }

  private open(): Subscription {
    const { queue } = this.options;
    return this.parts.connection.subscribe(this.subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (error) this.refuse(error);
        else this.hand(message);
      },
    });
  }

  /** The driver reads no more from the connection once something is thrown here. */
  private hand(message: Msg): void {
    try {
      this.options.onMessage(message);
    } catch (error) {
      this.parts.logger.error('what came could not be taken', { subject: this.subject, error });
    }
  }

  private refuse(error: Error): void {
    if (this.isOver) return;
    const { refused, logger } = this.parts;
    if (!this.isRefused) {
      const story =
        'NATS does not permit what this process has to hear: its users are not those of this version';
      logger.error(story, { subject: this.subject, error });
    }
    this.isRefused = true;
    if (!this.wasPermitted) refused.add(this);
    this.options.onMissed?.();
    this.renewLater();
  }

  private renewLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.renew().catch(() => this.renewLater()), RENEW_MS).unref();
  }

  private async renew(): Promise<void> {
    const { connection, refused, logger } = this.parts;
    if (this.isOver || connection.isClosed()) return;
    if (this.current.isClosed()) this.current = this.open();
    await connection.flush();
    if (this.current.isClosed() || !this.isRefused) return;
    this.isRefused = false;
    this.wasPermitted = true;
    refused.delete(this);
    logger.info('NATS permits what it had refused', { subject: this.subject });
    this.options.onMissed?.();
  }

  private end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.parts.refused.delete(this);
  }
}
