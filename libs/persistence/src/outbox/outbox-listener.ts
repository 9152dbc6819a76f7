import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@loci/platform';
import pg from 'pg';
import { type PersistenceOptions } from '../database/persistence-options.js';
import { quoted } from '../statements/qualified-name.js';
import { outboxChannel } from './outbox.js';

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Hears of new messages in the outbox, on a connection of its own that is made again whenever it is lost. */
export class OutboxListener {
  private readonly stopped = new AbortController();
  private working: Promise<void> | undefined;
  private listening = false;

  constructor(
    private readonly options: PersistenceOptions,
    private readonly onWake: () => void,
    private readonly logger: Logger,
  ) {}

  /** Whether it hears of new messages at this moment. */
  get isListening(): boolean {
    return this.listening;
  }

  start(): void {
    this.working ??= this.work();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.working;
  }

  private async work(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        await this.listen();
      } catch (error) {
        this.logger.debug('cannot listen to the outbox; trying again', { error });
      }
      await sleep(RECONNECT_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection ended, or when it is to end. */
  private async listen(): Promise<void> {
    const client = new pg.Client(this.clientOptions());
    const { signal } = this.stopped;
    let onStop = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      onStop = resolve;
      client.once('end', resolve);
      signal.addEventListener('abort', onStop);
    });
    client.on('error', (error) => this.logger.debug('lost the connection of the outbox listener', { error }));
    client.on('notification', this.onWake);
    try {
      // raced, because a driver that is told to end while it connects never says that it did not
      await Promise.race([this.subscribe(client), over]);
      await over;
    } finally {
      this.listening = false;
      signal.removeEventListener('abort', onStop);
      await client.end().catch(() => undefined);
    }
  }

  /** Looks once when it begins to listen: notifications sent before that were lost. */
  private async subscribe(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${quoted(outboxChannel(this.options.schema))}`);
    this.listening = true;
    this.onWake();
  }

  private clientOptions(): pg.ClientConfig {
    const { url, directUrl = url, schema } = this.options;
    return {
      connectionString: directUrl,
      application_name: `loci-${schema}-outbox`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    };
  }
}
