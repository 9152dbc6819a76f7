import { inSharedSpan, SpanKind } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { causesOf } from '../headers.js';

type TracedMessage = Pick<JsMsg, 'subject' | 'headers'>;

/** Handles messages in a span that belongs to the traces of all requests that they come from. */
export async function traceHandling(
  messages: readonly TracedMessage[],
  work: () => Promise<unknown>,
): Promise<void> {
  const name = `process ${messages[0]?.subject ?? ''}`;
  const attributes = { 'messaging.system': 'nats', 'messaging.batch.message_count': messages.length };
  const causes = new Set(messages.flatMap(({ headers }) => causesOf(headers)));
  await inSharedSpan(name, { kind: SpanKind.CONSUMER, attributes }, [...causes], work);
}
