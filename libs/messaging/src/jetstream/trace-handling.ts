import { inSharedSpan, SpanKind } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { traceFieldsOf, tracesOf } from '../headers.js';

type Handled = Pick<JsMsg, 'subject' | 'headers'>;

/** Handles messages in a span that belongs to the traces of all requests that they come from. */
export async function traceHandling(messages: readonly Handled[], work: () => Promise<void>): Promise<void> {
  const name = `process ${messages[0]?.subject ?? ''}`;
  const attributes = { 'messaging.system': 'nats', 'messaging.batch.message_count': messages.length };
  await inSharedSpan(name, { kind: SpanKind.CONSUMER, attributes }, causesOf(messages), work);
}

function causesOf(messages: readonly Handled[]): string[] {
  const causes = new Set<string>();
  for (const { headers } of messages) {
    const { parent, links } = tracesOf(traceFieldsOf(headers));
    for (const cause of parent === undefined ? links : [parent, ...links]) causes.add(cause);
  }
  return [...causes];
}
