import { createParser } from 'eventsource-parser';
import { type CallOptions, sentWith } from '../call-options.js';
import { LociError } from '../errors.js';
import { answered, type LociClient } from '../loci-client.js';
import { pause } from '../transport/pause.js';
import { type Payloads } from './event-payloads.js';

export type EventType = keyof Payloads;

/** Events behind the position that was asked for are not kept any more: whatever was derived from events is in doubt. */
export interface StreamReset {
  readonly type: 'stream.reset';
  readonly position: string;
}

/** What happened. `position` is where it is in the stream. */
export type LociEvent = StreamReset | HappenedEvent;

type HappenedEvent = {
  [Type in EventType]: {
    /** The same however often it arrives. */
    readonly id: string;
    readonly type: Type;
    readonly timestamp: string;
    readonly org_id?: string;
    readonly project_id?: string;
    readonly data: Payloads[Type];
    readonly position: string;
  };
}[EventType];

export interface EventsOptions extends CallOptions {
  /** Default: all that the key may see. */
  readonly org?: string;
  readonly project?: string;
  /** Default: all. */
  readonly types?: readonly EventType[];
  /** Goes on behind the event with this `position`; `'0'` = from the oldest that is kept. Default: from now on. */
  readonly after?: string;
  /** `false`: ends with the last event that there is. Default true. */
  readonly follow?: boolean;
}

/** Loci sends something every 15 seconds. */
const SILENCE_MS = 45_000;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Attempts without an answer, until the failure is thrown. */
const MAX_STALLED = 10;

/**
 * Goes through what happens, as it happens. Connects again when the connection breaks, behind the last event that came.
 * @throws LociError when it is refused, or not reached for about a minute
 */
export async function* events(api: LociClient, options: EventsOptions = {}): AsyncGenerator<LociEvent, void> {
  const { follow = true, signal = new AbortController().signal } = options;
  let after = options.after;
  for (let stalled = 0; ; stalled += 1) {
    try {
      for await (const message of messagesOf(await open(api, options, after), signal)) {
        stalled = 0;
        after = message.id ?? after;
        const event = eventOf(message);
        if (event) yield event;
      }
      if (!follow) return;
    } catch (error) {
      signal.throwIfAborted();
      if (stalled >= MAX_STALLED || isFinal(error)) throw error;
    }
    await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** stalled), signal);
  }
}

function open(
  api: LociClient,
  { org, project, types, follow, signal }: EventsOptions,
  after: string | undefined,
): Promise<ReadableStream<Uint8Array> | null | undefined> {
  const query = {
    ...(org !== undefined && { org_id: org }),
    ...(project !== undefined && { project_id: project }),
    ...(types && { types: types.join() }),
    ...(after !== undefined && { last_event_id: after }),
    ...(follow !== undefined && { follow }),
  };
  return answered(
    api.GET('/api/v2/events', {
      params: { query },
      parseAs: 'stream',
      ...sentWith({ ...(signal && { signal }) }),
    }),
  );
}

interface StreamMessage {
  readonly id?: string | undefined;
  readonly data: string;
}

/** Messages as they come, each with the position behind it. */
async function* messagesOf(
  stream: ReadableStream<Uint8Array> | null | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
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
    timer = setTimeout(() => reject(new Error('The stream of events fell silent.')), SILENCE_MS);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined for what only says where the stream is. */
function eventOf({ id: position, data }: StreamMessage): LociEvent | undefined {
  const parsed = JSON.parse(data) as Partial<LociEvent>;
  return parsed.type === undefined || position === undefined
    ? undefined
    : ({ ...parsed, position } as LociEvent);
}

const isFinal = (error: unknown): boolean =>
  error instanceof LociError && error.status >= 400 && error.status < 500 && error.status !== 429;
