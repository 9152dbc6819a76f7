import { randomUUID } from 'node:crypto';
import { type Isolation, MAX_UNFINISHED, RequestContext } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { type DeliveryNotes } from './delivery-notes.js';
import { type FetchedMessage } from './fetched-messages.js';
import { fingerprintOf } from './fingerprint.js';
import { type MessageSettler } from './message-settler.js';
import { messageId, type ReceivedMessage } from './received-message.js';
import { mendsByWaiting } from './retry-policy.js';
import { traceHandling } from './trace-handling.js';

/** What a handler may say of a batch that it has handled. */
export interface Handled {
  /** How long it had nothing to do but to wait for servers of others, which takes nothing from this deployment. */
  readonly waitedMs: number;
}

/** What a handler is told of the messages that it is given, which are one where a batch failed before. */
export interface BatchState {
  /** The oldest of them had waited for the consumer's `maxLateMs` when handling began. */
  readonly isLate: boolean;
}

/** Handles a batch, all or nothing: what it throws is a failure of the whole batch. Redelivery must be harmless. */
export type BatchHandler<Payload extends object> = (
  messages: readonly ReceivedMessage<Payload>[],
  state: BatchState,
) => Promise<Handled> | Promise<void>;

interface Readable<Payload extends object> {
  readonly fetched: FetchedMessage;
  readonly received: ReceivedMessage<Payload>;
}

export interface DeliveryParts<Payload extends object> {
  readonly read: (message: JsMsg) => ReceivedMessage<Payload>;
  readonly handler: (messages: readonly ReceivedMessage<Payload>[]) => Promise<Handled> | Promise<void>;
  readonly settler: MessageSettler;
  readonly notes: DeliveryNotes;
  /** Of all consumers of the process: they die together. */
  readonly isolation: Isolation;
}

type Result = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Takes batches to their handler, and what became of every message to the settler. */
export class BatchDelivery<Payload extends object> {
  constructor(private readonly parts: DeliveryParts<Payload>) {}

  /** Never rejects. When it is done, every message was settled, or is not ours any more. */
  async deliver(batch: readonly FetchedMessage[]): Promise<void> {
    const readable = await this.setAsideUnreadable(batch);
    const suspects = await this.orFail(readable, () =>
      this.parts.notes.suspects(readable.map(({ fetched }) => fetched)),
    );
    if (!suspects) return;
    const [suspected, others] = divided(readable, ({ fetched }) => suspects.has(fetched));
    await this.deliverBeside(others);
    if (suspected.length > 0) await this.deliverSuspects(suspected);
  }

  /** Each is noted before it is handled. One that was not finished before is handled with no other in the process. */
  private async deliverSuspects(batch: readonly Readable<Payload>[]): Promise<void> {
    const { notes, isolation, settler } = this.parts;
    const known = await this.orFail(batch, () => notes.begin(batch.map(({ fetched }) => fetched)));
    if (!known) return;
    const suspicionOf = ({ fetched }: Readable<Payload>) => known.get(messageId(fetched.message));
    const [setAside, others] = divided(batch, (one) => suspicionOf(one)?.isSetAside === true);
    const [unfinished, noted] = divided(others, (one) => suspicionOf(one)?.isUnfinished === true);
    await Promise.all(setAside.map(({ fetched }) => settler.leaveAside(fetched)));
    await this.deliverBeside(noted);
    for (const one of unfinished) await isolation.runAlone(() => this.deliverAlone(one));
  }

  private async deliverAlone(one: Readable<Payload>): Promise<void> {
    const { notes, settler } = this.parts;
    const { fetched } = one;
    if (notes.isStopping) return settler.giveBack(fetched);
    const unfinished = await this.orFail([one], () => notes.beginAgain(fetched));
    if (unfinished === undefined) return;
    if (unfinished < MAX_UNFINISHED) return this.deliverTogether([one]);
    await notes.rememberSetAside(fetched);
    const reason = `process_ended: The process that handled it ended ${unfinished} times in a row before it was done.`;
    return settler.deadLetter(fetched, reason, { fingerprint: fingerprintOf(fetched.message) });
  }

  private async deliverBeside(batch: readonly Readable<Payload>[]): Promise<void> {
    if (batch.length > 0) await this.parts.isolation.runBeside(() => this.deliverTogether(batch));
  }

  private async deliverTogether(readable: readonly Readable<Payload>[]): Promise<void> {
    const result = await this.handle(readable);
    if (result.ok) await Promise.all(readable.map(({ fetched }) => this.parts.settler.acknowledge(fetched)));
    else if (readable.length > 1) await this.deliverEachAlone(readable);
    else await this.failAll(readable, result.error);
  }

  /** Finds the message that spoils a batch. An outage met on the way ends the search: the rest would meet it too. */
  private async deliverEachAlone(batch: readonly Readable<Payload>[]): Promise<void> {
    for (const [index, one] of batch.entries()) {
      const result = await this.handle([one]);
      if (result.ok) {
        await this.parts.settler.acknowledge(one.fetched);
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
          () => this.parts.handler(messages),
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
        readable.push({ fetched, received: this.parts.read(fetched.message) });
      } catch (error) {
        await this.parts.settler.deadLetter(
          fetched,
          `does not parse: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
    return readable;
  }

  /** @returns undefined when what has to be known could not be: then the messages come again later */
  private async orFail<Answer>(
    batch: readonly Readable<Payload>[],
    ask: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    try {
      return await ask();
    } catch (error) {
      await this.failAll(batch, error);
      return undefined;
    }
  }

  private async failAll(batch: readonly Readable<Payload>[], error: unknown): Promise<void> {
    await Promise.all(batch.map(({ fetched }) => this.parts.settler.fail(fetched, error)));
  }
}

function divided<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
