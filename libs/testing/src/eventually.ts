const POLL_INTERVAL_MS = 50;

export interface EventuallyOptions {
  /** What is waited for, for the message when it does not come. */
  readonly what: string;
  /** Default 60 s: patient enough for a machine that is busy with something else. */
  readonly timeoutMs?: number;
}

/**
 * Waits until `probe` returns something other than undefined, null or false, asking again and again. A probe that throws has not
 * succeeded yet. The last one begins after the time is over: where probes take long, what came in time is still found.
 * @returns what the probe returned
 * @throws Error naming what did not happen, with the last failure of the probe as its cause
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { what, timeoutMs = 60_000 }: EventuallyOptions,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + timeoutMs;
  let failure: unknown;
  for (let isLast = false; !isLast;) {
    isLast = performance.now() >= deadline;
    try {
      const found = await probe();
      if (found !== undefined && found !== null && found !== false) {
        return found as NonNullable<Exclude<T, false>>;
      }
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(`Not within ${timeoutMs} ms: ${what}`, { cause: failure });
}
