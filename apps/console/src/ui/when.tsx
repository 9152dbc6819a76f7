import { useSyncExternalStore } from 'react';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** How long ago, or how soon, in the largest unit of which there is one. */
export function ago(instant: string, now: number): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  return relative.format(Math.trunc(seconds / size), unit);
}

const TICK_MS = 5000;

let tick = Date.now();

function onTick(listener: () => void): () => void {
  tick = Date.now();
  const timer = setInterval(() => {
    tick = Date.now();
    listener();
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** Milliseconds since 1970, some seconds ago at most. */
const useNow = (): number => useSyncExternalStore(onTick, () => tick);

/** An instant: how long ago it was, and exactly on hovering. @param instant ISO 8601 */
export function When({ at, isExact = false }: { readonly at: string; readonly isExact?: boolean }) {
  const now = useNow();
  const text = exact.format(new Date(at));
  return (
    <time dateTime={at} title={isExact ? at : text} className="whitespace-nowrap tabular-nums">
      {isExact ? text : ago(at, now)}
    </time>
  );
}
