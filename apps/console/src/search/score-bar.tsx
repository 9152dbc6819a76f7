import { scaleLinear } from '@visx/scale';
import { type Wire } from '../api/loci.js';
import { PARTS } from './parts.js';

/** Scores reach about so far when everything speaks for a hit. */
const WIDEST_SUM = 2;
const WIDTH = 300;

interface ScoreBarProps {
  readonly explanation: Wire['Explanation'];
}

/** What a score is made of: each part as long as what it adds. */
export function ScoreBar({ explanation: { parts, sum } }: ScoreBarProps) {
  const x = scaleLinear({ domain: [0, Math.max(WIDEST_SUM, sum)], range: [0, WIDTH] });
  const added = parts.filter(({ contribution }) => contribution > 0);
  const starts = added.map((_, index) =>
    added.slice(0, index).reduce((total, { contribution }) => total + contribution, 0),
  );
  const said = added
    .map(({ name, contribution }) => `${PARTS[name][0]} ${contribution.toFixed(2)}`)
    .join(', ');
  return (
    <svg
      role="img"
      aria-label={`Score parts: ${said || 'none'}`}
      viewBox={`0 0 ${WIDTH} 10`}
      preserveAspectRatio="none"
      className="h-2.5 w-full rounded-sm bg-sunken"
    >
      {added.map(({ name, contribution }, index) => (
        <rect
          key={name}
          x={x(starts[index] ?? 0)}
          y={0}
          width={x(contribution)}
          height={10}
          fill={PARTS[name][1]}
        >
          <title>{`${PARTS[name][0]} ${contribution.toFixed(3)}`}</title>
        </rect>
      ))}
    </svg>
  );
}

/** The same in figures. */
export function ScoreTable({ explanation: { parts, sum } }: ScoreBarProps) {
  return (
    <table className="w-full text-xs tabular-nums">
      <thead className="text-left text-muted">
        <tr>
          {['Part', 'Raw', 'Rank', 'Weight', 'Adds'].map((name) => (
            <th key={name} scope="col" className="py-1 pr-3 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {parts.map(({ name, raw, rank, weight, contribution }) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-1 pr-3 text-left font-normal">
              <span
                aria-hidden
                className="mr-1.5 inline-block size-2.5 rounded-xs"
                style={{ backgroundColor: PARTS[name][1] }}
              />
              {PARTS[name][0]}
            </th>
            <td className="py-1 pr-3">{raw?.toFixed(3) ?? '—'}</td>
            <td className="py-1 pr-3">{rank ?? '—'}</td>
            <td className="py-1 pr-3">{weight.toFixed(2)}</td>
            <td className="py-1 pr-3">{contribution.toFixed(3)}</td>
          </tr>
        ))}
        <tr className="border-t border-line font-medium">
          <th scope="row" className="py-1 text-left font-medium" colSpan={4}>
            Sum
          </th>
          <td>{sum.toFixed(3)}</td>
        </tr>
      </tbody>
    </table>
  );
}
