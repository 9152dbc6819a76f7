import { type ReactNode } from 'react';
import { cn } from '../ui/cn.js';
import { Said } from '../ui/said.js';
import { Move } from './move.js';

/** What a link to a memory looks like in the line above its text. */
export const SOURCE_LINK = 'line-clamp-2 font-medium text-soft underline-offset-2 hover:underline';

interface RankedMemoryProps {
  readonly id: string;
  /** Its position, from 0. */
  readonly index: number;
  /** The ids of what the other settings find, best first. */
  readonly others: readonly string[] | undefined;
  readonly isExpected: boolean;
  readonly score: number | undefined;
  readonly text: string;
  /** Where it comes from. */
  readonly source: ReactNode;
  /** What its score is made of. */
  readonly children: ReactNode;
}

/** An entry of a list of what a search found, best first. */
export const RankedMemory = ({
  id,
  index,
  others,
  isExpected,
  score,
  text,
  source,
  children,
}: RankedMemoryProps) => (
  <li className={cn('flex items-start gap-3 px-4 py-3', isExpected && 'bg-accent-wash')}>
    <span className="w-5 shrink-0 text-right text-sm text-muted tabular-nums">{index + 1}</span>
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        {source}
        {others && <Move from={others.indexOf(id)} to={index} />}
        <span className="ml-auto text-sm font-semibold text-ink tabular-nums">
          {score?.toFixed(3) ?? '—'}
        </span>
      </p>
      <p className="mt-0.5 line-clamp-4 text-sm whitespace-pre-wrap">
        <Said text={text} />
      </p>
      {children}
    </div>
  </li>
);
