import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';

/** Whether the server says that a stream or consumer does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamNotFound || error.code === JetStreamApiCodes.ConsumerNotFound);

/**
 * Whether no stream took a published message: its stream is missing, or JetStream is not up yet.
 * (The driver wraps both into an error that says "jetstream is not enabled".)
 */
export const wasNotTaken = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof errors.RequestError && error.cause.isNoResponders();
