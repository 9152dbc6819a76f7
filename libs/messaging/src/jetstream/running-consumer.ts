import { type Logger } from '@loci/platform';
import {
  type ConsumerInfo,
  type ConsumerMessages,
  type JetStreamClient,
  type JsMsg,
} from '@nats-io/jetstream';
import { type NatsLink } from '../connection/nats-link.js';
import { type BatchDelivery } from './batch-delivery.js';
import { type ConsumerMetrics } from './consumer-metrics.js';
import { type ConsumerDeclaration } from './declarations.js';
import { type DeliveryNotes } from './delivery-notes.js';
import { Doorbell } from './doorbell.js';
import { type FetchedMessages } from './fetched-messages.js';
import { type MessageSettler } from './message-settler.js';
import { isDeliveredBy } from './received-message.js';
import { type SettlementGate } from './settlement-gate.js';
import { type JetStreamTopology } from './jetstream-topology.js';

/** A fetch ends after so long without messages, and the next begins. */
const FETCH_MS = 30_000;
/**
 * Two heartbeats missed, and the consumer is looked after. A server says itself that a consumer is gone, and a lost connection
 * is noticed as such: this is for a server that is there and says nothing. Each heartbeat costs the server and the process.
 */
const HEARTBEAT_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface RunningConsumerParts {
  readonly declaration: ConsumerDeclaration;
  readonly batchSize: number;
  readonly maxWaitMs: number;
  readonly minIntervalMs: number;
  readonly concurrency: number;
  readonly link: NatsLink;
  readonly store: JetStreamClient;
  readonly topology: JetStreamTopology;
  readonly gate: SettlementGate;
  readonly fetched: FetchedMessages;
  readonly delivery: Pick<BatchDelivery<object>, 'deliver'>;
  readonly settler: MessageSettler;
  readonly notes: Pick<DeliveryNotes, 'stop'>;
  readonly metrics: ConsumerMetrics;
  readonly logger: Logger;
}

/**
 * One consumer at work: a pump that fetches as much as there is room for, and workers that take batches. Whatever happens
 * to the connection, the server, the stream or the consumer, the pump starts over until it is stopped.
 */
export class RunningConsumer {
  private stopping = false;
  private losses = 0;
  private fetching: ConsumerMessages | undefined;
  private readonly stateChanged = new Doorbell();
  private readonly capacity: number;
  private readonly working: Promise<unknown>;
  private readonly pumping: Promise<void>;
  private readonly progress: NodeJS.Timeout;
  private readonly forget: (() => void)[];

  constructor(private readonly parts: RunningConsumerParts) {
    const { link, concurrency, batchSize, declaration } = parts;
    this.capacity = batchSize * (concurrency + 1);
    this.forget = [link.onLost(() => this.interrupt()), link.onReconnect(() => this.stateChanged.ring())];
    this.progress = setInterval(() => this.showProgress(), declaration.ackWaitMs / 3);
    this.working = Promise.all(Array.from({ length: concurrency }, () => this.work()));
    this.pumping = this.pump();
  }

  /** Fetches no more, finishes what is being handled, gives back the rest. */
  async stop(): Promise<void> {
    if (!this.stopping) {
      this.stopping = true;
      this.fetching?.stop();
      this.stateChanged.ring();
      this.parts.fetched.close();
      await this.parts.notes.stop();
      await this.pumping;
      if (!this.parts.gate.isOpen) this.parts.gate.finish();
      await Promise.all(
        this.parts.fetched.untouched().map((fetched) => this.parts.settler.giveBack(fetched)),
      );
    }
    await this.working;
    clearInterval(this.progress);
    for (const forget of this.forget) forget();
  }

  private async pump(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.stopping) {
      if (!this.parts.link.isConnected) {
        await this.stateChanged.wait();
        continue;
      }
      try {
        const info = await this.parts.topology.ensureConsumer(this.parts.declaration);
        this.parts.fetched.dropWaitingNotOf(info.created);
        this.parts.gate.open(info.created);
        pauseMs = FIRST_PAUSE_MS;
        await this.fetch(info);
      } catch (error) {
        this.parts.logger.warn('consumer starts over', { consumer: this.parts.declaration.name, error });
        await this.stateChanged.wait(pauseMs * (0.5 + Math.random()));
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Fetches until the connection is lost or the consumer is stopped; throws when the consumer is gone. */
  private async fetch(info: ConsumerInfo): Promise<void> {
    const consumer = this.parts.store.consumers.getConsumerFromInfo(info);
    const { losses } = this;
    const goesOn = (): boolean => !this.stopping && this.losses === losses && this.parts.link.isConnected;
    while (goesOn()) {
      const room = this.capacity - this.parts.fetched.size;
      if (room < Math.ceil(this.parts.batchSize / 2)) {
        await this.parts.fetched.changed.wait();
        continue;
      }
      this.fetching = await consumer.fetch({
        max_messages: room,
        expires: FETCH_MS,
        idle_heartbeat: HEARTBEAT_MS,
      });
      if (!goesOn()) this.fetching.stop();
      for await (const message of this.fetching) {
        if (!this.isOwn(message)) continue;
        this.parts.fetched.add({ message, consumerCreatedAt: info.created });
        this.parts.metrics.fetchedCount(this.parts.fetched.size);
      }
    }
  }

  /** Another service may have JetStream deliver here what its own consumer reads: that is neither handled nor confirmed. */
  private isOwn(message: JsMsg): boolean {
    const { declaration, logger } = this.parts;
    if (isDeliveredBy(declaration, message)) return true;
    logger.warn('a message of another consumer was delivered to this one; it is ignored', {
      consumer: declaration.name,
      subject: message.subject,
      deliveredBy: message.info.consumer,
    });
    return false;
  }

  private async work(): Promise<void> {
    const { fetched, batchSize, maxWaitMs, minIntervalMs, delivery, metrics } = this.parts;
    for (let begunMs = -Infinity; ;) {
      const batch = await fetched.take(batchSize, maxWaitMs, begunMs + minIntervalMs);
      if (!batch) return;
      begunMs = performance.now();
      const done = metrics.startBatch();
      await delivery.deliver(batch);
      done();
      metrics.fetchedCount(fetched.size);
    }
  }

  private interrupt(): void {
    this.losses += 1;
    this.parts.gate.close();
    if (this.stopping) this.parts.gate.finish();
    this.fetching?.stop();
    this.parts.fetched.changed.ring();
    this.stateChanged.ring();
  }

  /** Tells the server that the fetched messages are still being worked on. */
  private showProgress(): void {
    if (!this.parts.gate.isOpen) return;
    for (const { message } of this.parts.fetched) message.working();
  }
}
