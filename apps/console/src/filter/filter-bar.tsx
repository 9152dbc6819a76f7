import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode } from 'react';
import { Button } from '../ui/button.js';
import { useTyped } from '../ui/use-typed.js';
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
export function FilterBar({ filter, vocabulary, onFilter, problem, children }: FilterBarProps) {
  const [{ text }, type] = useTyped({ text: filter });
  const apply = (): void => onFilter(text.trim());
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // the button goes with the filter: the keyboard stays in the field
    currentTarget.parentElement?.querySelector<HTMLElement>('[role=textbox]')?.focus();
    onFilter('');
  };
  return (
    <FilterField
      label="Filter"
      value={text}
      vocabulary={vocabulary}
      problem={problem}
      onChange={(typed) => type({ text: typed })}
      onSubmit={apply}
      beside={
        <>
          <Button onClick={apply}>Apply</Button>
          {children}
        </>
      }
    >
      {filter !== '' && (
        <Button look="quiet" size="icon" aria-label="Remove the filter" onClick={remove}>
          <X aria-hidden />
        </Button>
      )}
    </FilterField>
  );
}
