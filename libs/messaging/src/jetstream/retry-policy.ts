import { type AppError, type ErrorKind, toAppError } from '@loci/contracts';

/** What becomes of a message whose handling failed. */
export type Verdict =
  | { readonly action: 'retry'; readonly delayMs: number; readonly mendsByWaiting: boolean }
  | { readonly action: 'dead-letter'; readonly reason: string };

export interface Attempt {
  /** How often it was tried, outages not counted; 1 = for the first time. */
  readonly tries: number;
  /** How often it was delivered, which is what the delay grows with. */
  readonly deliveries: number;
  /** After so many tries a failure that may or may not pass is taken for one that does not. */
  readonly maxTries: number;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const SHORTEST_DELAY_MS = 50;

/**
 * Outages are waited out for ever; what waiting cannot mend is given up at once; anything else after `maxTries`.
 * @param random from 0 up to 1
 */
export function judge(failure: unknown, attempt: Attempt, random = Math.random): Verdict {
  const error = toAppError(failure);
  const hope = HOPE[error.kind];
  if (hope === 'none') return { action: 'dead-letter', reason: reasonOf(error) };
  if (hope === 'some' && attempt.tries >= attempt.maxTries) {
    return { action: 'dead-letter', reason: `${reasonOf(error)} (after ${attempt.tries} tries)` };
  }
  const delayMs = Math.max(
    backoffMs(attempt.deliveries, random),
    (error.details.retryAfterSeconds ?? 0) * 1000,
  );
  return { action: 'retry', delayMs, mendsByWaiting: hope === 'waiting' };
}

/** Whether an error is an outage: nothing is wrong with the message. */
export const mendsByWaiting = (failure: unknown): boolean => HOPE[toAppError(failure).kind] === 'waiting';

const HOPE: Readonly<Record<ErrorKind, 'waiting' | 'some' | 'none'>> = {
  unavailable: 'waiting',
  timeout: 'waiting',
  rate_limited: 'waiting',
  internal: 'some',
  conflict: 'some',
  invalid: 'none',
  unauthenticated: 'none',
  forbidden: 'none',
  not_found: 'none',
  too_large: 'none',
};

/**
 * How long a message waits after its n-th delivery: exponential, with full jitter, up to 30 s. After an outage, everything that waited must not come back in one instant.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoffMs(deliveries: number, random = Math.random): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(deliveries - 1, 16));
  return Math.max(SHORTEST_DELAY_MS, Math.round(random() * ceiling));
}

function reasonOf({ code, message, cause }: AppError): string {
  return cause instanceof Error ? `${code}: ${cause.message}` : `${code}: ${message}`;
}
