import { Filter } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { reached } from '../api/reached.js';
import { type FilterEditorProps } from './filter-editor.js';

const FilterEditor = lazy(async () => ({
  default: (await reached(import('./filter-editor.js'))).FilterEditor,
}));

interface FilterFieldProps extends FilterEditorProps {
  /** Why the filter was refused. */
  readonly problem?: string | undefined;
  /** Within the field, behind what is written. */
  readonly children?: ReactNode;
  /** Beside the field. */
  readonly beside?: ReactNode;
}

/** Where a filter is written, and why it was refused. */
export function FilterField({ problem, children, beside, ...editor }: FilterFieldProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <div className="flex min-h-8 min-w-48 flex-1 items-center rounded-md border border-edge/60 bg-surface pl-2.5 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
          <Filter aria-hidden className="size-4 shrink-0 text-muted" />
          <Suspense
            fallback={<span className="flex-1 px-2 font-mono text-sm text-muted">{editor.value}</span>}
          >
            <FilterEditor {...editor} />
          </Suspense>
          {children}
        </div>
        {beside}
      </div>
      {problem !== undefined && <FilterProblem problem={problem} />}
    </div>
  );
}

/** Why a filter was refused. */
export const FilterProblem = ({ problem }: { readonly problem: string }) => (
  <p role="alert" className="text-sm text-bad">
    {problem}
  </p>
);
