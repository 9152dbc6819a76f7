import { type Wire } from '../api/loci.js';
import { Field, Select } from '../ui/field.js';

interface ResourceFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly resources: readonly Wire['Resource'][];
  /** The one that is in force, whether or not it is registered still. */
  readonly current: string | null;
  /** What it is called to choose none of them. */
  readonly none?: string;
  readonly onPick: (name: string) => void;
}

/** One of the registered models, or none. */
export function ResourceField({
  label,
  hint,
  value,
  resources,
  current,
  none = 'none',
  onPick,
}: ResourceFieldProps) {
  const names = new Set([...resources.map(({ name }) => name), ...(current === null ? [] : [current])]);
  const options = [['', none] as const, ...[...names].map((name) => [name, name] as const)];
  return (
    <Field label={label} hint={hint}>
      {(control) => <Select {...control} value={value} options={options} onPick={onPick} />}
    </Field>
  );
}
