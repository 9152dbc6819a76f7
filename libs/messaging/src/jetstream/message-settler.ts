import { toAppError } from '@loci/contracts';
import { type Logger } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { type ConsumerMetrics, type Outcome } from './consumer-metrics.js';
import { type DeadLetterSink } from './dead-letter-sink.js';
import { ExcusedDeliveries } from './excused-deliveries.js';
import { type HeldMessage } from './held-messages.js';
import { messageId } from './received-message.js';
import { backoffMs, judge } from './retry-policy.js';
import { type SettlementGate } from './settlement-gate.js';

export interface SettlerParts {
  readonly consumer: string;
  readonly maxTries: number;
  readonly gate: SettlementGate;
  readonly sink: DeadLetterSink;
  /** Told when a message is settled, or is not ours any more. */
  readonly release: (held: HeldMessage) => void;
  readonly metrics: ConsumerMetrics;
  readonly logger: Logger;
}

/** The only place that acknowledges, returns or ends a message. */
export class MessageSettler {
  private readonly excused = new ExcusedDeliveries();

  constructor(private readonly parts: SettlerParts) {}

  async acknowledge(held: HeldMessage): Promise<void> {
    this.excused.forget(identity(held));
    await this.settle(held, (message) => message.ack(), 'handled');
  }

  /** Back to the server untried, for whoever fetches next. */
  async giveBack(held: HeldMessage): Promise<void> {
    await this.settle(held, (message) => message.nak());
  }

  /** Handling it failed: later again, or into the dead letters. */
  async fail(held: HeldMessage, failure: unknown): Promise<void> {
    const error = toAppError(failure);
    const { deliveryCount: deliveries } = held.message.info;
    const tries = deliveries - this.excused.of(identity(held));
    const verdict = judge(error, { tries, deliveries, maxTries: this.parts.maxTries });
    if (verdict.action === 'dead-letter') {
      this.parts.logger.error('message given up', { ...this.describe(held), error });
      await this.bury(held, verdict.reason);
      return;
    }
    if (verdict.mendsByWaiting) this.excused.add(identity(held));
    const { delayMs } = verdict;
    this.parts.logger.warn('message is tried again later', { ...this.describe(held), delayMs, error });
    await this.settle(held, (message) => message.nak(delayMs), 'retried');
  }

  /** Stores first and lets go second: a crash in between stores it twice, which the sink notices. */
  async bury(held: HeldMessage, reason: string): Promise<void> {
    const { message } = held;
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
      });
    } catch (error) {
      this.parts.logger.error('dead letter could not be stored', { ...this.describe(held), error });
      await this.settle(held, (unstored) => unstored.nak(backoffMs(deliveries)), 'retried');
      return;
    }
    this.excused.forget(identity(held));
    await this.settle(held, (stored) => stored.term(), 'dead_lettered');
  }

  private async settle(held: HeldMessage, act: (message: JsMsg) => void, outcome?: Outcome): Promise<void> {
    if (await this.parts.gate.pass(held.life)) {
      act(held.message);
      if (outcome) this.parts.metrics.settled(outcome);
    }
    this.parts.release(held);
  }

  private describe({ message }: HeldMessage): Record<string, unknown> {
    const { deliveryCount: deliveries } = message.info;
    return { consumer: this.parts.consumer, message_id: messageId(message), deliveries };
  }
}

const identity = ({ life, message }: HeldMessage): string => `${life} ${message.seq}`;
