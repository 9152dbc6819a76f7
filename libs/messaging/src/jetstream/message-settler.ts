import { toAppError } from '@loci/contracts';
import { type Logger } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { type ConsumerMetrics, type Outcome } from './consumer-metrics.js';
import { type DeadLetterSink } from './dead-letter-sink.js';
import { type DeliveryNotes } from './delivery-notes.js';
import { ExcusedDeliveries } from './excused-deliveries.js';
import { type FetchedMessage } from './fetched-messages.js';
import { messageId } from './received-message.js';
import { backoffMs, judge } from './retry-policy.js';
import { type SettlementGate } from './settlement-gate.js';

export interface SettlerParts {
  readonly consumer: string;
  readonly maxTries: number;
  readonly gate: SettlementGate;
  readonly sink: DeadLetterSink;
  /** Told when a message is settled, or is not ours any more. */
  readonly release: (fetched: FetchedMessage) => void;
  readonly notes: Pick<DeliveryNotes, 'end'>;
  readonly metrics: ConsumerMetrics;
  readonly logger: Logger;
}

/** The only code that acknowledges, returns or ends a message. */
export class MessageSettler {
  private readonly excused = new ExcusedDeliveries();

  constructor(private readonly parts: SettlerParts) {}

  async acknowledge(fetched: FetchedMessage): Promise<void> {
    this.excused.forget(identity(fetched));
    await this.settle(fetched, (message) => message.ack(), 'handled');
  }

  /** Back to the server untried, for the next fetch. */
  async giveBack(fetched: FetchedMessage): Promise<void> {
    await this.settle(fetched, (message) => message.nak());
  }

  /** Handling it failed: later again, or into the dead letters. */
  async fail(fetched: FetchedMessage, failure: unknown): Promise<void> {
    const error = toAppError(failure);
    const { deliveryCount: deliveries } = fetched.message.info;
    const tries = deliveries - this.excused.of(identity(fetched));
    const verdict = judge(error, { tries, deliveries, maxTries: this.parts.maxTries });
    if (verdict.action === 'dead-letter') {
      this.parts.logger.error('message given up', { ...this.describe(fetched), error });
      await this.deadLetter(fetched, verdict.reason);
      return;
    }
    if (verdict.mendsByWaiting) this.excused.add(identity(fetched));
    const { delayMs } = verdict;
    this.parts.logger.warn('message is tried again later', { ...this.describe(fetched), delayMs, error });
    await this.settle(fetched, (message) => message.nak(delayMs), 'retried');
  }

  /** Stores it before it ends it: after a crash in between it is stored twice, which the sink notices. */
  async deadLetter(
    fetched: FetchedMessage,
    reason: string,
    { fingerprint }: { readonly fingerprint?: string } = {},
  ): Promise<void> {
    const { message } = fetched;
    const { stream, deliveryCount: deliveries } = message.info;
    try {
      await this.parts.sink.store({
        stream,
        consumer: this.parts.consumer,
        subject: message.subject,
        messageId: messageId(message),
        payload: message.string(),
        reason,
        deliveries,
        fingerprint,
      });
    } catch (error) {
      this.parts.logger.error('dead letter could not be stored', { ...this.describe(fetched), error });
      await this.settle(fetched, (unstored) => unstored.nak(backoffMs(deliveries)), 'retried');
      return;
    }
    await this.leaveAside(fetched);
  }

  /** A dead letter stands for it. */
  async leaveAside(fetched: FetchedMessage): Promise<void> {
    this.excused.forget(identity(fetched));
    await this.settle(fetched, (message) => message.term(), 'dead_lettered');
  }

  private async settle(
    fetched: FetchedMessage,
    act: (message: JsMsg) => void,
    outcome?: Outcome,
  ): Promise<void> {
    // before another process can be given it
    await this.parts.notes.end(fetched);
    if (await this.parts.gate.pass(fetched.consumerCreatedAt)) {
      act(fetched.message);
      if (outcome) this.parts.metrics.settled(outcome);
    }
    this.parts.release(fetched);
  }

  private describe({ message }: FetchedMessage): Record<string, unknown> {
    const { deliveryCount: deliveries } = message.info;
    return { consumer: this.parts.consumer, message_id: messageId(message), deliveries };
  }
}

const identity = ({ consumerCreatedAt, message }: FetchedMessage): string =>
  `${consumerCreatedAt} ${message.seq}`;
