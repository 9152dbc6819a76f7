import { setTimeout as sleep } from 'node:timers/promises';
import { type ModelPause } from './model-pauses.js';
import { ProviderFailure } from './provider-failure.js';

/** How long a call may wait for its provider. */
export interface WaitBounds {
  /** A provider that asks for a longer pause is not waited for. */
  readonly maxPauseMs: number;
  /** Unix milliseconds; a pause that would end later is not begun. */
  readonly deadlineMs: number;
  /** Ends a wait. */
  readonly signal: AbortSignal;
}

/**
 * Waits until the model may be called.
 * @throws ProviderFailure `paused` at once where the pause is longer than the call may wait
 */
export async function waitForPause(
  pause: ModelPause,
  { maxPauseMs, deadlineMs, signal }: WaitBounds,
): Promise<void> {
  for (let waitMs = pause.waitMs(); waitMs > 0; waitMs = pause.waitMs()) {
    const remainingMs = pause.remainingMs();
    if (remainingMs > maxPauseMs || Date.now() + waitMs >= deadlineMs) {
      throw new ProviderFailure('paused', 'takes no more requests for now; it has said when to come back', {
        retryAfterMs: remainingMs,
      });
    }
    await sleepUnlessResumed(waitMs, pause, signal);
  }
}

/** Ends at once when the pause of the model ends before its time. @throws what the signal is aborted with */
export async function sleepUnlessResumed(
  ms: number,
  pause: Pick<ModelPause, 'resumed'>,
  signal: AbortSignal,
): Promise<void> {
  const resumed = pause.resumed();
  try {
    await sleep(ms, undefined, { signal: resumed ? AbortSignal.any([signal, resumed]) : signal });
  } catch (error) {
    if (signal.aborted || !resumed?.aborted) throw error;
  }
}
