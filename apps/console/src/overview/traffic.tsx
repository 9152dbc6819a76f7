import { type Statistics } from '@loci/client';
import { scaleLinear } from '@visx/scale';
import { AreaClosed } from '@visx/shape';
import { type ReactNode } from 'react';
import { Failure, Loading } from '../ui/states.js';
import { callsInWords, requestsInWords, timesInWords } from './figures-in-words.js';
import { useStatistics } from './statistics.js';
import { Workers } from './workers.js';

/** So many minutes are told. */
const MINUTES = 60;

type Figures = Statistics['total'];

interface Shown {
  readonly name: string;
  /** What is counted by minute. */
  readonly count: (figures: Figures) => number;
  /** What is said of the last hour. */
  readonly note: (figures: Figures) => string;
}

const SHOWN: readonly Shown[] = [
  {
    name: 'Adds',
    count: ({ adds }) => adds.requests,
    note: ({ adds }) => requestsInWords(adds),
  },
  {
    name: 'Searches',
    count: ({ searches }) => searches.requests,
    note: ({ searches }) => requestsInWords(searches),
  },
  {
    name: 'Messages made findable',
    count: ({ time_to_findable }) => time_to_findable.messages,
    note: ({ time_to_findable }) => timesInWords(time_to_findable),
  },
  {
    name: 'Tokens',
    count: ({ models }) => models.input_tokens + models.output_tokens,
    note: ({ models }) => callsInWords(models),
  },
];

/** What the deployment does, by minute, and what runs; live. */
export function Traffic() {
  const { statistics, error, retry } = useStatistics();
  if (error !== undefined) return <Failure error={error} onRetry={retry} />;
  if (!statistics) return <Loading rows={3} />;
  const { total, minutes, processes } = statistics;
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {SHOWN.map(({ name, count, note }) => (
          <Minutes key={name} name={name} values={minutes.map(count)}>
            {note(total)}
          </Minutes>
        ))}
      </div>
      <Workers processes={processes} />
    </>
  );
}

interface MinutesProps {
  readonly name: string;
  /** By minute, newest last; the last one still runs. */
  readonly values: readonly number[];
  readonly children: ReactNode;
}

function Minutes({ name, values, children }: MinutesProps) {
  return (
    <section aria-label={name} className="min-w-0 rounded-lg border border-line bg-surface p-4 shadow-xs">
      <h2 className="text-xs font-medium text-muted">{name} a minute</h2>
      <p className="mt-1 text-xl font-semibold tabular-nums">
        {(values.at(-2) ?? 0).toLocaleString('en')}
        <span className="ml-2 text-xs font-normal text-muted">
          {(values.at(-1) ?? 0).toLocaleString('en')} in the minute that runs
        </span>
      </p>
      <p className="mt-0.5 text-xs text-muted tabular-nums">{children}</p>
      <Sparkline label={`${name} in each minute of the last hour`} values={values} />
    </section>
  );
}

const WIDTH = 300;
const HEIGHT = 48;

function Sparkline({ label, values }: { readonly label: string; readonly values: readonly number[] }) {
  const x = scaleLinear({ domain: [MINUTES - 1, 0], range: [0, WIDTH] });
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
