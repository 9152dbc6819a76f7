import { scaleBand, scaleLinear } from '@visx/scale';
import { useState } from 'react';
import { type Wire } from '../api/loci.js';
import { sum } from './ingestion.js';

const WIDTH = 640;
const HEIGHT = 120;
const DAYS = 14;
const DAY_MS = 86_400_000;

/** Tokens by day, in and out. */
export function TokenChart({ usage }: { readonly usage: readonly Wire['IngestionUsage'][] }) {
  const [now] = useState(Date.now);
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(now - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const totals = days.map((day) => {
    const ofDay = usage.filter((one) => one.day === day);
    const input = sum(ofDay.map(({ input_tokens }) => input_tokens));
    const output = sum(ofDay.map(({ output_tokens }) => output_tokens));
    return { day, input, output };
  });
  const x = scaleBand({ domain: days, range: [0, WIDTH], padding: 0.25 });
  const most = Math.max(1, ...totals.map(({ input, output }) => input + output));
  const y = scaleLinear({ domain: [0, most], range: [0, HEIGHT] });
  const all = sum(totals.map(({ input, output }) => input + output)).toLocaleString('en');
  return (
    <figure className="grid gap-2 border-b border-line p-4">
      <svg
        role="img"
        aria-label={`${all} tokens in ${DAYS} days`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-28 w-full"
      >
        {totals.map(({ day, input, output }) => (
          <g key={day}>
            <title>{`${day}: ${input} in, ${output} out`}</title>
            <rect
              x={x(day)}
              y={HEIGHT - y(input)}
              width={x.bandwidth()}
              height={y(input)}
              fill="var(--color-leg-1)"
            />
            <rect
              x={x(day)}
              y={HEIGHT - y(input) - y(output)}
              width={x.bandwidth()}
              height={y(output)}
              fill="var(--color-leg-2)"
            />
          </g>
        ))}
      </svg>
      <figcaption className="flex justify-between text-xs text-muted">
        <span>{days[0]}</span>
        <span>{all} tokens, in and out</span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}
