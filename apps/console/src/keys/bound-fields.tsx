import { problemOf } from '../api/loci.js';
import { useSession } from '../session/session.js';
import { Field, Input } from '../ui/field.js';

/** What a key or a webhook is bound to; empty is not bound. */
export interface Bounds {
  readonly org_id: string;
  readonly project_id: string;
  readonly producer: string;
}

const FIELDS = [
  ['org_id', 'Organization', 'all'],
  ['project_id', 'Project', 'all of the organization'],
  ['producer', 'Producer', 'any'],
] as const;

/** The bounds of the caller, which nothing that they make exceeds. */
export function useOwnBounds(): Bounds {
  const { org_id, project_id, producer } = useSession();
  return { org_id: org_id ?? '', project_id: project_id ?? '', producer: producer ?? '' };
}

interface BoundFieldsProps {
  readonly bounds: Bounds;
  /** Those that can be bound. */
  readonly names: readonly (keyof Bounds)[];
  readonly error: unknown;
  readonly onChange: (bounds: Bounds) => void;
}

/** What is made reaches no further than this. Where the caller is bound, it cannot be changed. */
export function BoundFields({ bounds, names, error, onChange }: BoundFieldsProps) {
  const own = useOwnBounds();
  return FIELDS.filter(([name]) => names.includes(name)).map(([name, label, placeholder]) => (
    <Field key={name} label={label} problem={problemOf(error, name)}>
      {(control) => (
        <Input
          {...control}
          disabled={own[name] !== ''}
          placeholder={placeholder}
          value={bounds[name]}
          onChange={(event) => onChange({ ...bounds, [name]: event.target.value })}
        />
      )}
    </Field>
  ));
}
