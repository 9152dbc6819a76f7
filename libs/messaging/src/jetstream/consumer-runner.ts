import { type MessageType } from '@loci/contracts';
import { Isolation, Logger, Metrics } from '@loci/platform';
import { type JsMsg, jetstream } from '@nats-io/jetstream';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { NatsLink } from '../connection/nats-link.js';
import { rpcFailure } from '../rpc/rpc-failure.js';
import { BacklogPace } from './backlog-pace.js';
import { BatchDelivery, type BatchHandler, type DeliveryParts, type Handled } from './batch-delivery.js';
import { ConsumerMetrics } from './consumer-metrics.js';
import { DeadLetterSink } from './dead-letter-sink.js';
import { type ConsumerDeclaration } from './declarations.js';
import { DeliveryNotes } from './delivery-notes.js';
import { FetchedMessages } from './fetched-messages.js';
import { MessageSettler } from './message-settler.js';
import { readMessage, type ReceivedMessage } from './received-message.js';
import { RunningConsumer } from './running-consumer.js';
import { SettlementGate } from './settlement-gate.js';
import { JetStreamTopology } from './jetstream-topology.js';
import { UnfinishedDeliveries } from './unfinished-deliveries.js';

export interface ConsumerOptions {
  /** Messages that the handler is given at once, at most. Default 1. */
  readonly batchSize?: number;
  /** How long a batch that is not full waits for more. */
  readonly maxWaitMs?: number;
  /**
   * From the beginning of one batch to that of the next one that is not full, at least: messages that come one by one share
   * what a batch costs, and one that comes alone does not wait. Default 0.
   */
  readonly minIntervalMs?: number;
  /** Batches that are handled at the same time. */
  readonly concurrency?: number;
  /** Tries after which a failure that is no outage sends a message to the dead letters. */
  readonly maxDeliver?: number;
  /**
   * For work that no caller waits for: it rests between batches while more comes than it can handle, together with all
   * consumers of the process that have this option. A function says how much is not handled yet, where messages that wait
   * are not all of it; consumers that are given the same one are counted once.
   */
  readonly restsWhenBehind?: boolean | Backlog;
  /** A batch whose oldest message has waited so long is late: it does not rest, or rests no longer. Default: none is. */
  readonly maxLateMs?: number;
}

/** How much is not handled yet. */
export type Backlog = () => Promise<number>;

const DEFAULT_MAX_WAIT_MS = 5;
const DEFAULT_MAX_DELIVER = 8;

/** Runs the consumers of a process, and stops them before it shuts down. */
@Injectable()
export class ConsumerRunner implements BeforeApplicationShutdown {
  private readonly running = new Set<RunningConsumer>();
  private readonly declarations: ConsumerDeclaration[] = [];
  private readonly isolation = new Isolation();
  private readonly backlogs = new Set<Backlog>();
  private readonly pace = new BacklogPace({ pending: () => this.pendingOfAll() });

  constructor(
    private readonly link: NatsLink,
    private readonly topology: JetStreamTopology,
    private readonly sink: DeadLetterSink,
    private readonly unfinished: UnfinishedDeliveries,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    metrics.gauge(
      'consumer_messages_pending',
      'Messages of a consumer that are not handled yet, in all processes together.',
      ['consumer'],
      async (gauge) => {
        for (const declaration of this.declarations) {
          const pending = await this.pending(declaration).catch(() => Number.NaN);
          gauge.set({ consumer: declaration.name }, pending);
        }
      },
    );
  }

  /**
   * Starts to consume and goes on until it is stopped, whatever happens to the server meanwhile. Delivery is at least
   * once. A failed batch is tried again message by message; a message that fails alone waits (0 to 30 s) and comes
   * again: for ever when it meets an outage (`unavailable`, `timeout`, `rate_limited`), never when waiting cannot mend
   * it (`invalid`, `not_found`, ...), otherwise `maxDeliver` times. What is given up goes to the dead letters first.
   * So does what ended its process three times: what was delivered before is noted durably while it is handled.
   */
  run<Payload extends object>(
    declaration: ConsumerDeclaration,
    type: MessageType<Payload>,
    handler: BatchHandler<Payload>,
    options: ConsumerOptions = {},
  ): Pick<RunningConsumer, 'stop'> {
    const { batchSize = 1, maxWaitMs = DEFAULT_MAX_WAIT_MS, concurrency = 1, maxDeliver } = options;
    const { minIntervalMs = 0 } = options;
    if (declaration.subject !== type.subject) {
      throw new Error(`The consumer ${declaration.name} does not receive ${type.subject}.`);
    }
    const { link, topology, sink, logger, isolation } = this;
    topology.expect(declaration);
    const atPace = this.paced(declaration, handler, options);
    const read = (message: JsMsg): ReceivedMessage<Payload> => readMessage(type, message);
    const gate = new SettlementGate();
    const fetched = new FetchedMessages();
    const metrics = new ConsumerMetrics(this.metrics, declaration.name);
    const notes = new DeliveryNotes(declaration.name, this.unfinished, logger);
    const settler = new MessageSettler({
      consumer: declaration.name,
      maxTries: maxDeliver ?? DEFAULT_MAX_DELIVER,
      release: (message) => fetched.release(message),
      gate,
      sink,
      notes,
      metrics,
      logger,
    });
    const consumer = new RunningConsumer({
      declaration,
      batchSize,
      maxWaitMs,
      minIntervalMs,
      concurrency,
      store: jetstream(link.connection),
      delivery: new BatchDelivery({ read, handler: atPace, settler, notes, isolation }),
      link,
      topology,
      gate,
      fetched,
      settler,
      notes,
      metrics,
      logger,
    });
    this.running.add(consumer);
    this.declarations.push(declaration);
    return consumer;
  }

  /**
   * Messages of a consumer that are not handled yet; 0 when it does not exist.
   * @throws AppError `service_unavailable` when the server cannot tell
   */
  async pending(declaration: ConsumerDeclaration): Promise<number> {
    try {
      const info = await this.topology.consumerInfo(declaration);
      return info ? info.num_pending + info.num_ack_pending : 0;
    } catch (error) {
      throw rpcFailure(error);
    }
  }

  private async pendingOfAll(): Promise<number> {
    const pending = await Promise.all([...this.backlogs].map((backlog) => backlog()));
    return pending.reduce((sum, one) => sum + one, 0);
  }

  private paced<Payload extends object>(
    declaration: ConsumerDeclaration,
    handler: BatchHandler<Payload>,
    { restsWhenBehind = false, maxLateMs = Infinity }: ConsumerOptions,
  ): DeliveryParts<Payload>['handler'] {
    const isPaced = restsWhenBehind !== false;
    if (isPaced)
      this.backlogs.add(restsWhenBehind === true ? () => this.pending(declaration) : restsWhenBehind);
    return (messages) => {
      const oldest = Math.min(...messages.map(({ publishedAt }) => publishedAt.getTime()));
      const untilLateMs = (): number => oldest + maxLateMs - Date.now();
      const work = (): Promise<Handled> | Promise<void> => handler(messages, { isLate: untilLateMs() <= 0 });
      return isPaced ? this.pace.run(work, untilLateMs()) : work();
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.running].map((consumer) => consumer.stop()));
  }
}
