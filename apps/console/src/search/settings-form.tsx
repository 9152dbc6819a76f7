import { without } from '../api/search-params.js';
import { Field, Input } from '../ui/field.js';
import { type Settings } from './settings.js';

interface SettingsFormProps {
  readonly name: string;
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

const NUMBERS = [
  ['top_k', 'Hits', 1, 1000, 1, '10'],
  ['score_threshold', 'Least score', 0, 1, 0.05, 'none'],
  ['expand_context', 'Neighbours', 0, 50, 1, '0'],
  ['diversity', 'Diversity', 0, 1, 0.1, '0'],
] as const;

/** How one search is done. */
export function SettingsForm({ name, settings, onChange }: SettingsFormProps) {
  const change = (field: keyof Settings, value: string | number | undefined): void => {
    const rest = without(settings, field);
    onChange(value === undefined || value === '' ? rest : { ...rest, [field]: value });
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">{name}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {NUMBERS.map(([field, label, min, max, step, placeholder]) => (
          <Field key={field} label={label}>
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
        <Field label="Filter">
          {(control) => (
            <Input
              {...control}
              className="font-mono text-xs"
              placeholder="metadata.user_id='alice'"
              value={settings.filter ?? ''}
              onChange={({ target: { value } }) => change('filter', value)}
            />
          )}
        </Field>
        <Field label="As of">
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
