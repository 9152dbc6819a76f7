import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelPause } from './model-pauses.js';
import { ProviderFailure } from './provider-failure.js';
import { type RetryPolicy } from './retries.js';

/**
 * Waits until the model may be called.
 * @throws ProviderFailure `paused` at once where the pause is longer than the call may wait
 */
export async function waitForPause(
  pause: ModelPause,
  { maxPauseMs, deadlineMs, signal }: Pick<RetryPolicy, 'maxPauseMs' | 'deadlineMs' | 'signal'>,
): Promise<void> {
  for (let waitMs = pause.waitMs(); waitMs > 0; waitMs = pause.waitMs()) {
    const remainingMs = pause.remainingMs();
    if (remainingMs > maxPauseMs || Date.now() + waitMs >= deadlineMs) {
      throw new ProviderFailure('paused', 'takes no more requests for now; it has said when to come back', {
        retryAfterMs: remainingMs,
      });
    }
    await sleep(waitMs, undefined, { signal });
  }
}
