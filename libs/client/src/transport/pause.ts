/** Time and chance, so that tests need neither. */
export interface Waiting {
  /** Waits, or rejects with the reason of the signal. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

/** How long the next attempt waits after so many, where nothing else was asked for. */
export const backoffMs = (retries: number, random: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries) * (0.5 + random / 2);

/** Waits; rejects with the reason of the signal when it ends first. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });

export const WAITING: Waiting = { pause, random: Math.random };
