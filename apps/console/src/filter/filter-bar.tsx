import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.js';
import { FilterField } from './filter-field.js';
import { type FilterVocabulary } from './filter-language.js';

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
  const apply = (): void => onFilter(text.trim());
  return (
    <FilterField
      label="Filter"
      value={text}
      vocabulary={vocabulary}
      problem={problem}
      onChange={setText}
      onSubmit={apply}
      beside={
        <>
          <Button onClick={apply}>Apply</Button>
          {children}
        </>
      }
    >
      {filter !== '' && (
        <Button look="quiet" size="icon" aria-label="Remove the filter" onClick={() => onFilter('')}>
          <X aria-hidden />
        </Button>
      )}
    </FilterField>
  );
}
