import { type CountedByMinute, KEPT_MINUTES, type MinuteFigures, type TimedByMinute } from '@loci/contracts';

const MINUTE_MS = 60_000;

/** The first step of durations. */
const FIRST_MS = 0.1;

/** From one step to the next: what is read off a step is at most 5 % too long. */
const GROWTH = 1.05;

/** More than two hours. */
export const LAST_STEP = 372;

/** @returns the step that a duration falls into */
const stepOf = (seconds: number): number => {
  const step = Math.ceil(Math.log((seconds * 1000) / FIRST_MS) / Math.log(GROWTH));
  return step > 0 ? Math.min(LAST_STEP, step) : 0;
};

/** How many took how long, by step. */
export type Durations = readonly (readonly [step: number, count: number])[];

/** @returns how many there are of each step, in all of them together; the steps without any are holes */
export function together(durations: readonly Durations[]): number[] {
  const counts: number[] = [];
  for (const one of durations) {
    for (const [step, count] of one) {
      const known = Math.min(step, LAST_STEP);
      counts[known] = (counts[known] ?? 0) + count;
    }
  }
  return counts;
}

/**
 * The time within which so many of them were done, at most 5 % too long.
 * @param counts by step @param share from 0 to 1 @returns milliseconds; undefined without any
 */
export function quantileMs(counts: readonly number[], share: number): number | undefined {
  const wanted = share * counts.reduce((sum, count) => sum + count, 0);
  let counted = 0;
  for (const [step, count = 0] of counts.entries()) {
    counted += count;
    if (counted > 0 && counted >= wanted) return FIRST_MS * GROWTH ** step;
  }
  return undefined;
}

interface Minute {
  readonly counts: Map<CountedByMinute, number>;
  readonly durations: Map<TimedByMinute, Map<number, number>>;
}

/** What a process has counted and timed in each of its last minutes: what metrics cannot tell without a server that keeps them. */
export class Minutes {
  private readonly minutes = new Map<number, Minute>();

  constructor(private readonly now: () => number = Date.now) {}

  count(what: CountedByMinute, by = 1): void {
    const { counts } = this.current();
    counts.set(what, (counts.get(what) ?? 0) + by);
  }

  time(what: TimedByMinute, seconds: number): void {
    const { durations } = this.current();
    const steps = durations.get(what) ?? new Map<number, number>();
    const step = stepOf(seconds);
    steps.set(step, (steps.get(step) ?? 0) + 1);
    durations.set(what, steps);
  }

  /** @param last so many minutes, with the one that runs; those in which nothing was counted are absent */
  figures(last: number): MinuteFigures[] {
    const first = this.minuteNow() - last + 1;
    return [...this.minutes]
      .filter(([minute]) => minute >= first)
      .map(([minute, { counts, durations }]) => ({
        minute,
        counts: Object.fromEntries(counts),
        durations: Object.fromEntries([...durations].map(([what, steps]) => [what, [...steps]])),
      }));
  }

  private current(): Minute {
    const now = this.minuteNow();
    const known = this.minutes.get(now);
    if (known) return known;
    for (const minute of this.minutes.keys()) if (minute <= now - KEPT_MINUTES) this.minutes.delete(minute);
    const fresh = { counts: new Map(), durations: new Map() };
    this.minutes.set(now, fresh);
    return fresh;
  }

  private minuteNow(): number {
    return Math.floor(this.now() / MINUTE_MS);
  }
}
