import { filterProblemOf, problemOf } from '../api/loci.js';
import { without } from '../api/search-params.js';
import { FilterField } from '../filter/filter-field.js';
import { type FilterVocabulary } from '../filter/filter-language.js';
import { Field, Input } from '../ui/field.js';
import { type Settings } from './settings.js';

interface SettingsFormProps {
  readonly name: string;
  readonly settings: Settings;
  /** Why the search with them was refused. */
  readonly error: unknown;
  readonly vocabulary: FilterVocabulary;
  readonly onChange: (settings: Settings) => void;
  readonly onSubmit: () => void;
}

const NUMBERS = [
  ['top_k', 'Hits', 1, 1000, 1, '10'],
  ['score_threshold', 'Least score', 0, 1, 0.05, 'none'],
  ['expand_context', 'Neighbours', 0, 50, 1, '0'],
  ['diversity', 'Diversity', 0, 1, 0.1, '0'],
] as const;

/** How one search is done. */
export function SettingsForm({ name, settings, error, vocabulary, onChange, onSubmit }: SettingsFormProps) {
  const change = (field: keyof Settings, value: string | number | undefined): void => {
    const rest = without(settings, field);
    onChange(value === undefined || value === '' ? rest : { ...rest, [field]: value });
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">{name}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {NUMBERS.map(([field, label, min, max, step, placeholder]) => (
          <Field key={field} label={label} problem={problemOf(error, field)}>
            {(control) => (
              <Input
                {...control}
                type="number"
                min={min}
                max={max}
                step={step}
                placeholder={placeholder}
                value={settings[field] ?? ''}
                onChange={({ target: { value } }) => change(field, value === '' ? undefined : Number(value))}
              />
            )}
          </Field>
        ))}
      </div>
      <div className="grid gap-2 sm:grid-cols-2">
        <div className="grid content-start gap-1">
          <span aria-hidden className="text-xs font-medium text-soft">
            Filter
          </span>
          <FilterField
            label="Filter"
            value={settings.filter ?? ''}
            vocabulary={vocabulary}
            problem={filterProblemOf(error)}
            onChange={(value) => change('filter', value)}
            onSubmit={onSubmit}
          />
        </div>
        <Field label="As of" problem={problemOf(error, 'reference_time')}>
          {(control) => (
            <Input
              {...control}
              placeholder="now, or 2026-05-01T00:00:00Z"
              value={settings.reference_time ?? ''}
              onChange={({ target: { value } }) => change('reference_time', value)}
            />
          )}
        </Field>
      </div>
    </fieldset>
  );
}
