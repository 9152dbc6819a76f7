import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

/** A stream as it has to be. */
export interface StreamDeclaration {
  readonly name: string;
  /** All its messages have subjects that begin with this and a dot. */
  readonly subjectPrefix: string;
  /** `events` stay until they are old, for any number of consumers; `work` stays until one consumer has done it. */
  readonly kind: 'events' | 'work';
  readonly maxBytes: number;
}

/** A durable pull consumer as it has to be. */
export interface ConsumerDeclaration {
  readonly name: string;
  readonly stream: StreamDeclaration;
  readonly subject: string;
  /** A message that no worker reports progress on for this long goes to another worker. */
  readonly ackWaitMs: number;
  /** Messages that all workers together may have fetched and not settled. */
  readonly maxAckPending: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_AGE_OF_EVENTS_MS = 7 * DAY_MS;
const AGELESS = 0;
/** The server forgets message ids after this; PostgreSQL is what makes redelivery harmless, not this window. */
const DUPLICATE_WINDOW_MS = 2 * 60 * 1000;

/** What else a stream could do with messages: one that was made to is told to stop. (The driver has no word for "none".) */
const NOTHING_ELSE = {
  republish: undefined,
  subject_transform: undefined,
  sources: undefined,
  mirror: undefined,
} as object as Partial<StreamConfig>;

/**
 * Who may name a subject for an answer of the server has the server ask JetStream's own API with it, and an empty request is
 * enough to purge a stream. Once denied, neither can be allowed again.
 */
const NOTHING_LOST_ON_REQUEST = { deny_purge: true, deny_delete: true } as const;

/**
 * A full stream of events drops its oldest: sweepers find in PostgreSQL what an index missed. A stream of work
 * drops nothing, however old: a full one refuses new messages, and they stay with their sender until there is room.
 */
export const streamConfig = (stream: StreamDeclaration, replicas: number): StreamConfigFields => ({
  name: stream.name,
  subjects: [`${stream.subjectPrefix}.>`],
  retention: stream.kind === 'work' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
  discard: stream.kind === 'work' ? DiscardPolicy.New : DiscardPolicy.Old,
  storage: StorageType.File,
  max_age: stream.kind === 'work' ? AGELESS : nanos(MAX_AGE_OF_EVENTS_MS),
  max_bytes: stream.maxBytes,
  duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  num_replicas: replicas,
  ...NOTHING_LOST_ON_REQUEST,
  ...NOTHING_ELSE,
});

export type StreamConfigFields = Partial<StreamConfig> & Pick<StreamConfig, 'name'>;

/** What else a consumer could deliver, or where: one that was made to is told to stop. One that pushes cannot be: it is deleted, and made again. */
const NOTHING_BUT_PULLED = {
  deliver_subject: undefined,
  deliver_group: undefined,
  filter_subjects: undefined,
  headers_only: undefined,
  backoff: undefined,
  inactive_threshold: undefined,
  pause_until: undefined,
} as object as Partial<ConsumerConfig>;

/** Unlimited deliveries: our runner decides when a message is beyond help, and stores it before it lets go of it. */
export const consumerConfig = (consumer: ConsumerDeclaration): Partial<ConsumerConfig> => ({
  durable_name: consumer.name,
  filter_subject: consumer.subject,
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: nanos(consumer.ackWaitMs),
  max_ack_pending: consumer.maxAckPending,
  max_deliver: -1,
  ...NOTHING_BUT_PULLED,
});
