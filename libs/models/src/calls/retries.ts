import { type CallLimits } from './call-limits.js';
import { type ModelPause, spreadOf } from './model-pauses.js';
import { sleepUnlessResumed, type WaitBounds } from './pause-wait.js';
import { ProviderFailure } from './provider-failure.js';

export interface RetryPolicy extends WaitBounds, Pick<CallLimits, 'maxAttempts' | 'firstPauseMs'> {
  /** Of the model. */
  readonly pause: Pick<ModelPause, 'resumed'>;
  readonly onRetry: () => void;
}

/**
 * Tries again after transient failures: as long as the provider asks for (`Retry-After`), otherwise a pause that
 * doubles, with jitter, so that many clients don't come back at the same moment.
 */
export async function withRetries<T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = pauseAfter(error, attempts, policy);
      if (pauseMs === undefined) throw error;
      policy.onRetry();
      await sleepUnlessResumed(pauseMs, policy.pause, policy.signal);
    }
  }
}

/** Milliseconds to wait before the next attempt, or undefined when there is none. */
function pauseAfter(error: unknown, attempts: number, policy: RetryPolicy): number | undefined {
  if (!(error instanceof ProviderFailure) || !error.isTransient || attempts >= policy.maxAttempts) {
    return undefined;
  }
  const pauseMs =
    error.retryAfterMs ?? Math.min(jittered(policy.firstPauseMs * 2 ** (attempts - 1)), policy.maxPauseMs);
  const spreadMs = error.retryAfterMs === undefined ? 0 : Math.random() * spreadOf(pauseMs);
  const fits = pauseMs <= policy.maxPauseMs && Date.now() + pauseMs + spreadMs < policy.deadlineMs;
  return fits ? pauseMs + spreadMs : undefined;
}

/** Between the half of it and all of it. */
const jittered = (ms: number): number => (ms * (1 + Math.random())) / 2;
