import { type CallOptions, sentWith } from '../call-options.js';
import { answered, type LociClient } from '../loci-client.js';
import { type StreamMessage, streamMessages } from '../transport/stream-messages.js';
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

/**
 * Goes through what happens, as it happens. Connects again when the connection breaks, behind the last event that came.
 * @throws LociError when it is refused, or not reached for about a minute
 */
export async function* events(api: LociClient, options: EventsOptions = {}): AsyncGenerator<LociEvent, void> {
  const { follow = true, signal = new AbortController().signal } = options;
  let after = options.after;
  for await (const message of streamMessages(() => open(api, options, after), { follow, signal })) {
    after = message.id ?? after;
    const event = eventOf(message);
    if (event) yield event;
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

/** Undefined for what only says where the stream is. */
function eventOf({ id: position, data }: StreamMessage): LociEvent | undefined {
  const parsed = JSON.parse(data) as Partial<LociEvent>;
  return parsed.type === undefined || position === undefined
    ? undefined
    : ({ ...parsed, position } as LociEvent);
}
