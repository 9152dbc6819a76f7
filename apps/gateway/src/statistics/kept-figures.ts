import {
  COUNTED_BY_MINUTE,
  type CountedByMinute,
  type MinuteFigures,
  TIMED_BY_MINUTE,
  type TimedByMinute,
} from '@loci/contracts';
import { LAST_STEP } from '@loci/platform';

/** Of each minute of each process, about. */
const OVERHEAD_BYTES = 512;

const MAX_UINT32 = 2 ** 32 - 1;

/** What is kept of a minute of a process: what is known here, in few bytes. */
export interface KeptFigures {
  readonly counts: ReadonlyMap<CountedByMinute, number>;
  /** A step, the number of those that took so long, the next step, and so on. */
  readonly durations: ReadonlyMap<TimedByMinute, Uint32Array>;
}

/** @param figures as any service may have sent them: names and numbers that no process of ours tells are left out */
export const keptOf = ({ counts, durations }: MinuteFigures): KeptFigures => ({
  counts: new Map(
    COUNTED_BY_MINUTE.flatMap((name) => {
      const count: unknown = counts[name];
      return isCount(count) ? [[name, count] as const] : [];
    }),
  ),
  durations: new Map(
    TIMED_BY_MINUTE.flatMap((name) => {
      const steps: unknown = durations[name];
      return Array.isArray(steps) ? [[name, flat(steps)] as const] : [];
    }),
  ),
});

export const bytesOf = ({ durations }: KeptFigures): number =>
  [...durations.values()].reduce((bytes, { byteLength }) => bytes + byteLength, OVERHEAD_BYTES);

export const figuresOf = (minute: number, { counts, durations }: KeptFigures): MinuteFigures => ({
  minute,
  counts: Object.fromEntries(counts),
  durations: Object.fromEntries([...durations].map(([name, steps]) => [name, pairs(steps)])),
});

const flat = (steps: readonly unknown[]): Uint32Array =>
  Uint32Array.from(
    steps
      .slice(0, LAST_STEP + 1)
      .filter(isPair)
      .flat(),
  );

const pairs = (steps: Uint32Array): (readonly [number, number])[] =>
  Array.from({ length: steps.length / 2 }, (_, index) => [steps[2 * index] ?? 0, steps[2 * index + 1] ?? 0]);

const isPair = (pair: unknown): pair is readonly [number, number] => {
  if (!Array.isArray(pair) || pair.length !== 2) return false;
  const [step, count] = pair as unknown[];
  return isCount(step) && step <= LAST_STEP && isCount(count) && count <= MAX_UINT32;
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
