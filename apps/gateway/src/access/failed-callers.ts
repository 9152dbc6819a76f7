import { type AppError, rateLimited, unauthenticated } from '@loci/contracts';
import { NetworkCounts } from './network-counts.js';

const WINDOW_MS = 60_000;

/** Counts unknown tokens by the network of the client. */
export class FailedCallers {
  private readonly failures = new NetworkCounts(WINDOW_MS);

  /** @param perMinute failures of one network that are answered 401; further ones are 429. 0 = any number */
  constructor(private readonly perMinute: number) {}

  /** How many failures a network has left. */
  remaining(network: string): number {
    if (this.perMinute === 0) return Infinity;
    return Math.max(0, this.perMinute - this.failures.of(network));
  }

  /** Notes a failure. @returns what the client is to be answered */
  refuse(network: string): AppError {
    const isTooOften = this.remaining(network) === 0;
    this.failures.add(network);
    return isTooOften ? this.tooOften(network) : unknownCaller();
  }

  tooOften(network: string): AppError {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.failures.remainingMs(network) / 1000));
    return rateLimited(
      'rate_limit_exceeded',
      `More than ${this.perMinute} requests with unknown tokens in a minute came from your address; send a valid one.`,
      { retryAfterSeconds },
    );
  }
}

/** Made once: to note where an error was made is a tenth of what it costs to refuse a request. */
const UNKNOWN_CALLER = unauthenticated(
  'unauthenticated',
  'Send a valid API key or token in the header authorization: Bearer <key>.',
);

/** What a caller is answered whom no token makes known. */
export const unknownCaller = (): AppError => UNKNOWN_CALLER;
