import { setTimeout as sleep } from 'node:timers/promises';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from '@loci/platform';
import { connect, errors, type NatsConnection, type Status } from '@nats-io/transport-node';
import {
  connectionOptions,
  inboxOfProcess,
  type NatsSettings,
  withoutCredentials,
} from './connection-settings.js';
import { LastingSubscription, type SubscriptionOptions } from './lasting-subscription.js';
import { ConnectionLostError, NatsUnreachableError } from './nats-unreachable.error.js';

const START_TIMEOUT_MS = 10_000;
const START_RETRY_MS = 250;
const DRAIN_TIMEOUT_MS = 5_000;

type RefusalListener = (subject: string, error: Error) => void;

/** The one connection of a process to NATS, shared by everything in it, and what is known about its state. */
export class NatsLink implements OnApplicationShutdown {
  private connected = true;
  private readonly lostListeners = new Set<() => void>();
  private readonly reconnectListeners = new Set<() => void>();
  private readonly refusalListeners = new Set<RefusalListener>();
  private readonly refused = new Set<LastingSubscription>();

  private constructor(
    readonly connection: NatsConnection,
    /** Begins the subjects at which this process may hear answers. */
    readonly inboxPrefix: string,
    private readonly logger: Logger,
  ) {
    void this.follow();
  }

  /**
   * Connects, trying for a while because a server may start a moment after us.
   * @param startTimeoutMs how long to try
   * @throws NatsUnreachableError
   */
  static async connect(
    settings: NatsSettings,
    logger: Logger,
    startTimeoutMs = START_TIMEOUT_MS,
  ): Promise<NatsLink> {
    const giveUpAt = performance.now() + startTimeoutMs;
    for (;;) {
      try {
        const options = connectionOptions(settings);
        const connection = await connect(options);
        logger.info('connected to NATS', { url: withoutCredentials(settings.url) });
        return new NatsLink(connection, inboxOfProcess(options), logger);
      } catch (error) {
        if (performance.now() + START_RETRY_MS > giveUpAt)
          throw new NatsUnreachableError(settings.url, error);
        await sleep(START_RETRY_MS);
      }
    }
  }

  /** Whether messages can be exchanged at this moment. */
  get isConnected(): boolean {
    return this.connected;
  }

  /**
   * Whether the server has let this process hear all that it has to. What it takes back later keeps the process at work: the
   * users of another version, which all processes of one meet at once, must not end all answers.
   */
  get isPermitted(): boolean {
    return this.refused.size === 0;
  }

  /** Hears a subject until it is told not to. What the server does not permit is asked for again every second. */
  subscribe(subject: string, options: SubscriptionOptions): LastingSubscription {
    const { connection, logger, refused } = this;
    return new LastingSubscription(subject, options, { connection, logger, refused });
  }

  /** Calls back each time the connection is lost. @returns how to stop that */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  /** Calls back each time the connection is back. @returns how to stop that */
  onReconnect(listener: () => void): () => void {
    this.reconnectListeners.add(listener);
    return () => this.reconnectListeners.delete(listener);
  }

  /** Calls back each time the server refuses to take a message to a subject. @returns how to stop that */
  onRefused(listener: RefusalListener): () => void {
    this.refusalListeners.add(listener);
    return () => this.refusalListeners.delete(listener);
  }

  /**
   * Does what needs the connection: fails at once when it is down, and as soon as it is lost. The driver alone would
   * buffer the message without bound and let its caller wait for the whole timeout.
   * @throws ConnectionLostError
   */
  whileConnected<T>(work: () => Promise<T>): Promise<T> {
    if (!this.connected) return Promise.reject(new ConnectionLostError());
    return new Promise<T>((resolve, reject) => {
      const forget = this.onLost(() => {
        forget();
        reject(new ConnectionLostError());
      });
      void work().then(resolve, reject).finally(forget);
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Lets what was sent arrive, then disconnects. */
  async close(): Promise<void> {
    if (this.connection.isClosed()) return;
    if (this.connected) {
      const drained = this.connection.drain().catch(() => undefined);
      await Promise.race([drained, sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    }
    await this.connection.close();
  }

  private async follow(): Promise<void> {
    for await (const status of this.connection.status()) this.take(status);
    this.lose();
  }

  private take(status: Status): void {
    switch (status.type) {
      case 'disconnect':
        this.logger.warn('lost the connection to NATS');
        this.lose();
        break;
      case 'reconnect':
        this.logger.info('connected to NATS again');
        this.connected = true;
        for (const listener of [...this.reconnectListeners]) listener();
        break;
      case 'error':
        this.logger.warn('NATS reports an error', { error: status.error });
        this.refuse(status.error);
        break;
      default:
    }
  }

  private refuse(error: Error): void {
    if (!(error instanceof errors.PermissionViolationError) || error.operation !== 'publish') return;
    for (const listener of [...this.refusalListeners]) listener(error.subject, error);
  }

  private lose(): void {
    this.connected = false;
    for (const listener of [...this.lostListeners]) listener();
  }
}
