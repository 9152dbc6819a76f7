import { inSpan, currentTraceparent, markFailed, openSpan, SpanKind } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { traceFieldsOf, tracesOf } from '../headers.js';

/** Traces that a batch is shown in, at most. */
const MAX_TRACES = 128;

type Handled = Pick<JsMsg, 'subject' | 'headers'>;

/**
 * Handles messages in a span. What has one cause goes on in its trace. A batch with many is a trace of its own that
 * links to them, and in each of theirs a span as long as the batch links back: whoever follows a request sees when its
 * message was handled, and finds how.
 */
export async function traceHandling(messages: readonly Handled[], work: () => Promise<void>): Promise<void> {
  const name = `process ${messages[0]?.subject ?? ''}`;
  const kind = SpanKind.CONSUMER;
  const attributes = { 'messaging.system': 'nats', 'messaging.batch.message_count': messages.length };
  const causes = causesOf(messages);
  const [only, second] = causes;
  if (second === undefined) return inSpan(name, { kind, attributes, parent: only }, work);
  await inSpan(name, { kind, attributes, parent: undefined, links: causes }, async () => {
    const batch = currentTraceparent();
    const links = batch === undefined ? [] : [batch];
    const shown = causes.map((parent) => openSpan(name, { kind, attributes, parent, links }));
    try {
      await work();
    } catch (error) {
      for (const span of shown) markFailed(span, error);
      throw error;
    } finally {
      for (const span of shown) span?.end();
    }
  });
}

function causesOf(messages: readonly Handled[]): string[] {
  const causes = new Set<string>();
  for (const { headers } of messages) {
    const { parent, links } = tracesOf(traceFieldsOf(headers));
    for (const cause of parent === undefined ? links : [parent, ...links]) causes.add(cause);
  }
  return [...causes].slice(0, MAX_TRACES);
}
