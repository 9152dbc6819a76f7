/** How many rows the first statement looks at: few enough where each of them is read from a disk. */
export const FIRST_STEP = 10_000;

/** The server keeps what it looked at until a statement is over. */
const MAX_STEP = 100_000;

/** What one statement should take. */
const STEP_MS = 250;

/** The cost of a row is told by few rows, and those that follow can cost more. */
const MOST_GROWTH = 4;

/** How many rows the next statement looks at, by what the last one took. */
export function nextStep(step: number, tookMs: number): number {
  const wanted = (step * STEP_MS) / Math.max(tookMs, 1);
  return Math.max(1, Math.floor(Math.min(wanted, step * MOST_GROWTH, MAX_STEP)));
}
