const EVENTS = 'text/event-stream';

/**
 * The response. A stream of events has one message more at its end, also when it breaks off: what waits for an answer in it
 * learns that none will come.
 * @param last the message, as JSON is made of it, by what ended the stream
 */
export function endedBy(response: Response, last: (reason: unknown) => object): Response {
  const { body, headers, ok, status } = response;
  if (!ok || !body || headers.get('content-type')?.startsWith(EVENTS) !== true) return response;
  return new Response(ReadableStream.from(withLast(body, last)), { status, headers });
}

async function* withLast(
  body: AsyncIterable<Uint8Array>,
  last: (reason: unknown) => object,
): AsyncGenerator<Uint8Array> {
  let reason: unknown = new Error('its answer ended too early');
  try {
    yield* body;
  } catch (error) {
    reason = error;
  }
  // what broke off in the middle of an event is ended first
  yield new TextEncoder().encode(`\n\nevent: message\ndata: ${JSON.stringify(last(reason))}\n\n`);
}
