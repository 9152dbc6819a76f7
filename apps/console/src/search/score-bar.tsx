import { scaleLinear } from '@visx/scale';
import { type Wire } from '../api/loci.js';
import { PARTS, RERANKER } from './parts.js';

const WIDTH = 300;

type Reranking = NonNullable<Wire['Explanation']['reranker']>;

interface ScoreBarProps {
  readonly explanation: Wire['Explanation'];
  /** The sum that the whole width stands for. */
  readonly widest: number;
}

interface Segment {
  readonly name: string;
  readonly colour: string;
  readonly value: number;
}

/** What a score is made of: each part as long as what it adds; below it the share of a reranker in the score. */
export function ScoreBar({ explanation: { parts, sum, reranker }, widest }: ScoreBarProps) {
  const added = parts
    .filter(({ contribution }) => contribution > 0)
    .map(({ name, contribution }) => ({ name: PARTS[name][0], colour: PARTS[name][1], value: contribution }));
  return (
    <span className="grid gap-0.5">
      <Bar label="Score parts" segments={added} widest={Math.max(widest, sum)} />
      {reranker && <Bar label="Score with the reranker" segments={sharesOf(reranker)} widest={1} />}
    </span>
  );
}

const sharesOf = ({ weight, score_before, opinion }: Reranking): readonly Segment[] => [
  { name: 'Parts together', colour: 'var(--color-leg-1)', value: (1 - weight) * score_before },
  { name: RERANKER[0], colour: RERANKER[1], value: weight * opinion },
];

interface BarProps {
  readonly label: string;
  readonly segments: readonly Segment[];
  /** What the whole width stands for. */
  readonly widest: number;
}

function Bar({ label, segments, widest }: BarProps) {
  const x = scaleLinear({ domain: [0, widest], range: [0, WIDTH] });
  const starts = segments.map((_, index) =>
    segments.slice(0, index).reduce((total, { value }) => total + value, 0),
  );
  const said = segments.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', ');
  return (
    <svg
      role="img"
      aria-label={`${label}: ${said || 'none'}`}
      viewBox={`0 0 ${WIDTH} 10`}
      preserveAspectRatio="none"
      className="h-2.5 w-full rounded-sm bg-sunken"
    >
      {segments.map(({ name, colour, value }, index) => (
        <rect key={name} x={x(starts[index] ?? 0)} y={0} width={x(value)} height={10} fill={colour}>
          <title>{`${name} ${value.toFixed(3)}`}</title>
        </rect>
      ))}
    </svg>
  );
}

/** The same in figures. */
export function ScoreTable({ explanation: { parts, sum, reranker } }: Pick<ScoreBarProps, 'explanation'>) {
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
              <Swatch colour={PARTS[name][1]} />
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
        {reranker && <RerankerRows reranker={reranker} />}
      </tbody>
    </table>
  );
}

function RerankerRows({ reranker }: { readonly reranker: Reranking }) {
  const { raw, rank, weight, opinion, score_before: before } = reranker;
  const adds = weight * (opinion - before);
  return (
    <>
      <tr className="border-t border-line">
        <th scope="row" className="py-1 text-left font-normal" colSpan={4}>
          Score that the sum makes
        </th>
        <td>{before.toFixed(3)}</td>
      </tr>
      <tr className="border-t border-line">
        <th scope="row" className="py-1 pr-3 text-left font-normal">
          <Swatch colour={RERANKER[1]} />
          {RERANKER[0]}
        </th>
        <td className="py-1 pr-3">{raw.toFixed(3)}</td>
        <td className="py-1 pr-3">{rank}</td>
        <td className="py-1 pr-3">{weight.toFixed(2)}</td>
        <td className="py-1 pr-3">{adds.toFixed(3)}</td>
      </tr>
      <tr className="border-t border-line font-medium">
        <th scope="row" className="py-1 text-left font-medium" colSpan={4}>
          Score
        </th>
        <td>{(before + adds).toFixed(3)}</td>
      </tr>
    </>
  );
}

const Swatch = ({ colour }: { readonly colour: string }) => (
  <span aria-hidden className="mr-1.5 inline-block size-2.5 rounded-xs" style={{ backgroundColor: colour }} />
);

/** A score as a bar, of what nothing is told but the score. */
export const Strength = ({ score }: { readonly score: number }) => (
  <svg
    role="img"
    aria-label={`Score ${score.toFixed(2)}`}
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
    className="mt-1.5 h-1.5 w-full rounded-sm bg-sunken"
  >
    <rect width={Math.max(0, Math.min(1, score)) * 100} height={4} fill="var(--color-leg-1)" />
  </svg>
);
