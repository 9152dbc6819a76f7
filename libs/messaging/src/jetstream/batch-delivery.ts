import { randomUUID } from 'node:crypto';
import { RequestContext } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { type FetchedMessage } from './fetched-messages.js';
import { type MessageSettler } from './message-settler.js';
import { type ReceivedMessage } from './received-message.js';
import { mendsByWaiting } from './retry-policy.js';
import { traceHandling } from './trace-handling.js';

/** Handles a batch, all or nothing: what it throws is a failure of the whole batch. Redelivery must be harmless. */
export type BatchHandler<Payload extends object> = (
  messages: readonly ReceivedMessage<Payload>[],
) => Promise<void>;

interface Readable<Payload extends object> {
  readonly fetched: FetchedMessage;
  readonly received: ReceivedMessage<Payload>;
}

type Result = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Takes batches to their handler, and what became of every message to the settler. */
export class BatchDelivery<Payload extends object> {
  constructor(
    private readonly read: (message: JsMsg) => ReceivedMessage<Payload>,
    private readonly handler: BatchHandler<Payload>,
    private readonly settler: MessageSettler,
  ) {}

  /** Never rejects. When it is done, every message was settled, or is not ours any more. */
  async deliver(batch: readonly FetchedMessage[]): Promise<void> {
    const readable = await this.setAsideUnreadable(batch);
    const result = await this.handle(readable);
    if (result.ok) await Promise.all(readable.map(({ fetched }) => this.settler.acknowledge(fetched)));
    else if (readable.length > 1) await this.deliverEachAlone(readable);
    else await this.failAll(readable, result.error);
  }

  /** Finds the message that spoils a batch. An outage met on the way ends the search: the rest would meet it too. */
  private async deliverEachAlone(batch: readonly Readable<Payload>[]): Promise<void> {
    for (const [index, one] of batch.entries()) {
      const result = await this.handle([one]);
      if (result.ok) {
        await this.settler.acknowledge(one.fetched);
        continue;
      }
      const outage = mendsByWaiting(result.error);
      await this.failAll(outage ? batch.slice(index) : [one], result.error);
      if (outage) return;
    }
  }

  private async handle(batch: readonly Readable<Payload>[]): Promise<Result> {
    const [first, second] = batch;
    if (!first) return { ok: true };
    const scope = second ? { requestId: randomUUID() } : first.received.scope;
    const messages = batch.map(({ received }) => received);
    try {
      await RequestContext.run(scope, () =>
        traceHandling(
          batch.map(({ fetched }) => fetched.message),
          () => this.handler(messages),
        ),
      );
      return { ok: true };
    } catch (error) {
      return { ok: false, error };
    }
  }

  private async setAsideUnreadable(batch: readonly FetchedMessage[]): Promise<Readable<Payload>[]> {
    const readable: Readable<Payload>[] = [];
    for (const fetched of batch) {
      try {
        readable.push({ fetched, received: this.read(fetched.message) });
      } catch (error) {
        await this.settler.deadLetter(
          fetched,
          `does not parse: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
    return readable;
  }

  private async failAll(batch: readonly Readable<Payload>[], error: unknown): Promise<void> {
    await Promise.all(batch.map(({ fetched }) => this.settler.fail(fetched, error)));
  }
}
