import { scaleLinear } from '@visx/scale';
import { AreaClosed } from '@visx/shape';
import { useEffect, useState } from 'react';
import { between, type Counted, countedOf, quantile } from './metrics.js';

const PERIOD_MS = 5000;
const SHOWN = 60;

/** Kinds of requests that are shown, by their route. */
const KINDS = [
  ['Adds', '/api/v2/memories'],
  ['Searches', '/api/v2/memories/search'],
] as const;

type Reading = readonly (readonly [path: string, counted: Counted])[];

interface Traffic {
  readonly last: Reading | undefined;
  /** What came in each period, newest last. */
  readonly periods: readonly ReadonlyMap<string, Counted>[];
}

/** What this gateway has been asked since the page was opened. */
function useTraffic(): Traffic {
  const [traffic, setTraffic] = useState<Traffic>({ last: undefined, periods: [] });
  useEffect(() => {
    const stopped = new AbortController();
    const read = async (): Promise<void> => {
      const answer = await fetch('/metrics', { signal: stopped.signal });
      const text = await answer.text();
      const now = KINDS.map(([, path]) => [path, countedOf(text, path)] as const);
      setTraffic(({ last, periods }) => {
        const former = new Map(last);
        const period = new Map(now.map(([path, counted]) => [path, between(former.get(path), counted)]));
        return { last: now, periods: last ? [...periods, period].slice(-SHOWN) : periods };
      });
    };
    // while it is not reached there is nothing to count; the page says so elsewhere
    const tick = (): void => void read().catch(() => undefined);
    tick();
    const timer = setInterval(tick, PERIOD_MS);
    return () => {
      stopped.abort();
      clearInterval(timer);
    };
  }, []);
  return traffic;
}

/** Adds and searches of this gateway, live. */
export function TrafficPanels() {
  const { last, periods } = useTraffic();
  const totals = new Map(last);
  return (
    <div className="grid gap-3 md:grid-cols-2">
      {KINDS.map(([name, path]) => {
        const counts = periods.map((period) => period.get(path)?.requests ?? 0);
        const all = totals.get(path);
        const p95 = all && quantile(all, 0.95);
        const perMinute = ((counts.at(-1) ?? 0) * 60_000) / PERIOD_MS;
        return (
          <section
            key={path}
            aria-label={name}
            className="rounded-lg border border-line bg-surface p-4 shadow-xs"
          >
            <div className="flex items-baseline justify-between gap-2">
              <h2 className="text-xs font-medium text-muted">{name} a minute</h2>
              <span className="text-xs text-muted tabular-nums">
                {all?.requests.toLocaleString('en') ?? '…'} since start
                {p95 !== undefined && ` · 95 % within ${Math.round(p95 * 1000)} ms`}
              </span>
            </div>
            <p className="mt-1 text-xl font-semibold tabular-nums">{perMinute.toLocaleString('en')}</p>
            <Sparkline label={`${name} in the last minutes`} values={counts} />
          </section>
        );
      })}
    </div>
  );
}

const WIDTH = 300;
const HEIGHT = 48;

function Sparkline({ label, values }: { readonly label: string; readonly values: readonly number[] }) {
  const x = scaleLinear({ domain: [SHOWN - 1, 0], range: [0, WIDTH] });
  const y = scaleLinear({ domain: [0, Math.max(1, ...values)], range: [HEIGHT, 2] });
  const points = values.map((value, index) => ({ age: values.length - 1 - index, value }));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-2 h-12 w-full border-b border-line"
    >
      {points.length > 1 && (
        <AreaClosed
          data={points}
          x={({ age }) => x(age)}
          y={({ value }) => y(value)}
          yScale={y}
          fill="var(--color-accent)"
          fillOpacity={0.18}
          stroke="var(--color-accent)"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
