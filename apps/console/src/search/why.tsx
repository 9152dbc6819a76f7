import { type Wire } from '../api/loci.js';
import { ScoreBar, ScoreTable } from './score-bar.js';

interface WhyProps {
  readonly explanation: Wire['Explanation'];
  /** The sum that the whole width stands for. */
  readonly widest: number;
}

/** What a score is made of: as a bar, and below it in figures. */
export const Why = ({ explanation, widest }: WhyProps) => (
  <details className="mt-1.5">
    <summary className="list-none" aria-label="What the score is made of">
      <ScoreBar explanation={explanation} widest={widest} />
    </summary>
    <ScoreTable explanation={explanation} />
  </details>
);
