import { createParser } from 'eventsource-parser';
import { LociError } from '../errors.js';
import { pause } from './pause.js';

/** Loci sends something every 15 seconds. */
const SILENCE_MS = 45_000;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Attempts without an answer, until the failure is thrown. */
const MAX_STALLED = 10;

type Stream = ReadableStream<Uint8Array> | null | undefined;

interface StreamOptions {
  /** `false`: ends with the stream; otherwise it is opened again. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/**
 * The server-sent events of a stream, which is opened again when it breaks.
 * @throws LociError when it is refused, or not reached for about a minute
 */
export async function* streamMessages(
  open: () => Promise<Stream>,
  { follow, signal }: StreamOptions,
): AsyncGenerator<StreamMessage, void> {
  for (let stalled = 0; ; stalled += 1) {
    try {
      for await (const message of messagesOf(await open(), signal)) {
        stalled = 0;
        yield message;
      }
      if (!follow) return;
    } catch (error) {
      signal.throwIfAborted();
      if (stalled >= MAX_STALLED || isFinal(error)) throw error;
    }
    await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** stalled), signal);
  }
}

export interface StreamMessage {
  readonly id?: string | undefined;
  readonly data: string;
}

/** Messages as they come. */
async function* messagesOf(stream: Stream, signal: AbortSignal): AsyncGenerator<StreamMessage> {
  if (!stream) return;
  const reader = stream.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const waiting: StreamMessage[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ id, data }) => waiting.push({ id, data }) });
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      signal.throwIfAborted();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

async function withinSilence<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream fell silent.')), SILENCE_MS);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof LociError && error.status >= 400 && error.status < 500 && error.status !== 429;
