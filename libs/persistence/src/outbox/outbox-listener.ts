import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@loci/platform';
import pg from 'pg';
import { type PersistenceOptions } from '../database/persistence-options.js';
import { quoted } from '../database/qualified-name.js';
import { outboxChannel } from './outbox.js';

const RECONNECT_MS = 1_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Hears of new messages in the outbox, on a connection of its own that is made again whenever it is lost. */
export class OutboxListener {
  private readonly stopped = new AbortController();
  private client: pg.Client | undefined;
  private working: Promise<void> | undefined;

  constructor(
    private readonly options: PersistenceOptions,
    private readonly onWake: () => void,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.working ??= this.work();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.client?.end().catch(() => undefined);
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

  /** Resolves when the connection ended. */
  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: `loci-${this.options.schema}-outbox`,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', (error) => this.logger.debug('lost the connection of the outbox listener', { error }));
    client.on('notification', this.onWake);
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${quoted(outboxChannel(this.options.schema))}`);
      this.onWake();
      if (!this.stopped.signal.aborted) await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
