import { StartError } from '@loci/platform';
import { withoutCredentials } from './connection-settings.js';

/** A process could not start because NATS does not answer; the message says where it looked and why it failed. */
export class NatsUnreachableError extends StartError {
  override readonly name = 'NatsUnreachableError';

  constructor(url: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`NATS does not answer at ${withoutCredentials(url)} (${reason}): start it, or correct NATS_URL.`, {
      cause,
    });
  }
}

/** The connection went away while something waited for an answer over it. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';

  constructor() {
    super('the connection to NATS was lost');
  }
}
