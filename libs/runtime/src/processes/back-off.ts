const FIRST_MS = 100;
const LONGEST_MS = 5_000;
const HEALTHY_AFTER_MS = 10_000;

/** Pauses between restarts: 100 ms, doubling to 5 s, from the beginning again once the process ran for 10 s. */
export class BackOff {
  private nextMs = FIRST_MS;

  /** @param ranForMs how long the process that just ended had been running */
  pauseMs(ranForMs: number): number {
    const pauseMs = ranForMs >= HEALTHY_AFTER_MS ? FIRST_MS : this.nextMs;
    this.nextMs = Math.min(pauseMs * 2, LONGEST_MS);
    return pauseMs;
  }
}
