/**
 * The lines of a stream of UTF-8, as they arrive and without the `\n` that ends them. What stands behind the last of these
 * comes last, and may be empty. Who stops early cancels the stream.
 */
export async function* textLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      yield* lines;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
