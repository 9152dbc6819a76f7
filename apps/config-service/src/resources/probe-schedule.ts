/** How often a failed resource is probed again. */
export interface ProbeSchedule {
  readonly minMs: number;
  readonly maxMs: number;
}

const JITTER = 0.2;

/**
 * The pause before the next probe: twice as long after each failure, within the bounds, give or take a fifth, so that
 * what failed together is not probed together.
 * @param failures in a row, from 1
 * @param random from 0 to 1
 */
export function retryInMs(failures: number, { minMs, maxMs }: ProbeSchedule, random = Math.random()): number {
  const pauseMs = Math.min(maxMs, minMs * 2 ** (failures - 1));
  return Math.round(pauseMs * (1 - JITTER + 2 * JITTER * random));
}
