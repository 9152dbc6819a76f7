import { MessagePublisher } from '@loci/messaging';
import { Logger, Metrics } from '@loci/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { oldestUnsentMessage } from './oldest-unsent-message.sql.js';
import { OutboxBatch } from './outbox-batch.js';
import { OutboxListener } from './outbox-listener.js';
import { Outbox } from './outbox.js';
import { WakeUp } from './wake-up.js';

const BATCH_SIZE = 256;
const POLL_MS = 1_000;

/** How many times longer it waits in the end while nothing comes and it would hear of what does. */
const LONGEST_POLL = 8;

/** Sends the messages of the outbox for as long as the process runs. Any number of relays may work on one outbox. */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly wakeUp = new WakeUp();
  private readonly batch: OutboxBatch;
  private readonly listener: OutboxListener;
  private readonly published;
  private readonly oldest: ReturnType<typeof oldestUnsentMessage>;
  private stopping = false;
  private working: Promise<void> | undefined;

  constructor(
    @Inject(PERSISTENCE_OPTIONS) options: PersistenceOptions,
    private readonly unitOfWork: UnitOfWork,
    publisher: MessagePublisher,
    metrics: Metrics,
    private readonly logger: Logger,
    @Inject(Outbox) private readonly outbox: Pick<Outbox, 'tellOwnRelay'>,
  ) {
    this.oldest = oldestUnsentMessage(options.schema);
    this.batch = new OutboxBatch(options.schema, unitOfWork, publisher, logger);
    this.listener = new OutboxListener(options, () => this.wakeUp.ring(), logger);
    this.published = metrics.counter('outbox_published_total', 'Messages sent and confirmed.');
    metrics.gauge('outbox_oldest_unsent_seconds', 'Age of the oldest message not sent.', [], async (gauge) =>
      gauge.set(await this.oldestUnsentSeconds().catch(() => Number.NaN)),
    );
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /** @param pollMs how long it waits for a wake-up before it looks by itself */
  start(pollMs = POLL_MS): void {
    this.working ??= this.work(pollMs);
    this.listener.start();
    this.outbox.tellOwnRelay(() => this.wakeUp.ring());
  }

  /** Finishes the batch at hand. What is left stays in the table, for another relay or the next start. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.outbox.tellOwnRelay(undefined);
    this.wakeUp.ring();
    await this.listener.stop();
    await this.working;
  }

  private async work(pollMs: number): Promise<void> {
    while (!this.stopping) {
      await this.relayAll();
      await this.sleepUntilNeeded(pollMs);
    }
  }

  /** Goes on behind what a stream refuses: one that is full must not hold up what others would take. */
  private async relayAll(): Promise<void> {
    const refused = new Set<string>();
    let goesOn = true;
    while (goesOn && !this.stopping) goesOn = await this.relayBatch(refused);
  }

  /** Until it is rung, or a look shows that something waits: a look is one statement, a batch is a transaction. */
  private async sleepUntilNeeded(pollMs: number): Promise<void> {
    let waitMs = pollMs;
    while (!(await this.wakeUp.sleep(waitMs)) && (await this.isNothingWaiting())) {
      waitMs = this.listener.isListening ? Math.min(2 * waitMs, LONGEST_POLL * pollMs) : pollMs;
    }
  }

  private async oldestUnsentSeconds(): Promise<number> {
    const [row] = await this.unitOfWork.execute(this.oldest);
    return row?.age ?? 0;
  }

  private async isNothingWaiting(): Promise<boolean> {
    try {
      return (await this.unitOfWork.execute(this.oldest)).length === 0;
    } catch {
      return false;
    }
  }

  /**
   * @param refused subjects that are left out; those of messages that their stream refuses now are added
   * @returns whether there is more to do at once
   */
  private async relayBatch(refused: Set<string>): Promise<boolean> {
    try {
      const batch = await this.batch.relay(BATCH_SIZE, [...refused]);
      this.published.inc(batch.sent);
      for (const subject of batch.refused) refused.add(subject);
      return batch.taken === BATCH_SIZE && batch.unanswered === 0;
    } catch (error) {
      this.logger.warn('the outbox could not be read; trying again', { error });
      return false;
    }
  }
}
