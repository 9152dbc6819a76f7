import { Filter, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { reached } from '../api/reached.js';
import { Button } from '../ui/button.js';
import { type FilterVocabulary } from './filter-language.js';

const FilterEditor = lazy(async () => ({
  default: (await reached(import('./filter-editor.js'))).FilterEditor,
}));

interface FilterBarProps {
  readonly filter: string;
  readonly vocabulary: FilterVocabulary;
  readonly onFilter: (filter: string) => void;
  /** Why the filter was refused. */
  readonly problem?: string | undefined;
  readonly children?: ReactNode;
}

/** Narrows a list down. A filter takes effect on Enter. */
export function FilterBar(props: FilterBarProps) {
  // another filter, as from a link, begins anew
  return <Bar key={props.filter} {...props} />;
}

function Bar({ filter, vocabulary, onFilter, problem, children }: FilterBarProps) {
  const [text, setText] = useState(filter);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <div className="flex min-h-8 min-w-48 flex-1 items-center rounded-md border border-edge/60 bg-surface pl-2.5 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
          <Filter aria-hidden className="size-4 shrink-0 text-muted" />
          <Suspense fallback={<span className="flex-1 px-2 font-mono text-sm text-muted">{filter}</span>}>
            <FilterEditor
              label="Filter"
              value={text}
              vocabulary={vocabulary}
              onChange={setText}
              onSubmit={() => onFilter(text.trim())}
            />
          </Suspense>
          {filter !== '' && (
            <Button look="quiet" size="icon" aria-label="Remove the filter" onClick={() => onFilter('')}>
              <X aria-hidden />
            </Button>
          )}
        </div>
        <Button onClick={() => onFilter(text.trim())}>Apply</Button>
        {children}
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
